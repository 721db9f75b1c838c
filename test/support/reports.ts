import { ReportDirectory } from '../../src/adapters/files/report-directory.ts';
import type { ReportFile } from '../../src/app/ports/report-store.ts';
import { systemClocks } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

/** A reports directory; the wall clock is that of `now`, where it is given. */
export function reportsIn(
  directory: string,
  given: { readonly maxBytes?: number; readonly keepDays?: number; readonly now?: () => Date } = {},
): ReportDirectory {
  const clocks = systemClocks();
  return new ReportDirectory(
    {
      directory,
      keepMs: (given.keepDays ?? 90) * 86_400_000,
      maxBytes: given.maxBytes ?? 1_000_000,
      timeZone: 'Asia/Shanghai',
    },
    {
      clocks: { nextSeq: () => clocks.nextSeq(), wall: given.now ?? (() => clocks.wall()) },
      logger: silentLogger(),
    },
  );
}

export async function savedReport(
  reports: ReportDirectory,
  title: string,
  text: string,
  more: { readonly kind?: string; readonly format?: 'xlsx' | 'csv'; readonly key?: string } = {},
): Promise<ReportFile> {
  const draft = await reports.begin({
    kind: more.kind ?? 'history',
    title,
    format: more.format ?? 'csv',
    key: more.key ?? title,
  });
  await draft.append(Buffer.from(text));
  return draft.commit();
}
