import { openErasingSite } from './erasing-site.ts';

/** Begins to erase a person, and stays where all but the end is done. */
const [directory = '', person = '', ...also] = process.argv.slice(2);
const site = await openErasingSite(directory);
const midway = {
  name: 'midway',
  erase: (): Promise<never> => {
    process.stdout.write('midway\n');
    return new Promise(() => undefined);
  },
};
setInterval(() => undefined, 60_000);
await site.eraserWith([midway]).erase(person, also);
