import { type Announcement, type Announcer, wasSpoken } from './announcer.ts';

/** What became of a line that a station was told: whoever stands there heard or read it to its end, or why nobody did. */
export type Told = { readonly heard: true } | { readonly heard: false; readonly why: string };

/** Has a line said aloud; resolves when it is known whether its own words were heard to their end. Never rejects. */
export async function tellAloud(announcer: Pick<Announcer, 'announce'>, line: Announcement): Promise<Told> {
  const outcome = await announcer.announce(line);
  if (wasSpoken(outcome) && outcome.text !== line.text)
    return { heard: false, why: 'it came too late, and something else was said in its place' };
  switch (outcome.kind) {
    case 'played':
      return { heard: true };
    case 'kept':
      return { heard: false, why: 'there is no speaker: it was kept as a file' };
    case 'dropped':
      return { heard: false, why: 'it gave way to other lines' };
    case 'stopped':
      return { heard: false, why: `it was silenced after ${Math.round(outcome.heardMs)} ms` };
    case 'failed':
      return { heard: false, why: `it could not be said: ${outcome.reason}` };
  }
}
