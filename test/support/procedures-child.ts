import { opened, proceduresAt, reportOf } from './git-site.ts';

const [directory = '', round = ''] = process.argv.slice(2);
const procedures = await opened(proceduresAt(directory));
for (let at = 0; ; at += 1) {
  const id = `r${round}-${at}`;
  await procedures.commitReport(reportOf(id));
  process.stdout.write(`${id}\n`);
}
