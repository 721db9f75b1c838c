import { formsOfPerson } from '../../domain/memory/forms-of-person.ts';
import { namesAnyOf } from '../../domain/memory/names-any-of.ts';
import type { KeyedHash as RedactionHash } from '../../domain/memory/redact.ts';
import type { WorkingMemory } from '../../domain/memory/working-memory.ts';
import type { CaptureInbox } from '../ports/capture-inbox.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { MemoryArchive } from '../ports/memory-archive.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { ErasedShare, Erasure, PersonalStore } from '../ports/personal-store.ts';
import type { ProcedureRepository } from '../ports/procedure-repository.ts';
import type { AnchorPool } from './anchor-pool.ts';
import type { FactCache } from './fact-cache.ts';
import type { MemoryFeed } from './memory-feed.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'erase'>;
  readonly inbox: CaptureInbox;
  readonly archive: Pick<MemoryArchive, 'rewrite'>;
  readonly working: WorkingMemory;
  readonly cache: Pick<FactCache, 'reload'>;
  readonly anchors: Pick<AnchorPool, 'forget'>;
  /** Stands still while what waits is looked through. */
  readonly feed: Pick<MemoryFeed, 'still'>;
  readonly procedures: Pick<ProcedureRepository, 'read'>;
  readonly hash: KeyedHash;
}

/**
 * Memory's share of erasing a person, in its order: after what talks, so that nothing brings the person back. What somebody else is told
 * to have said goes with the name in it; facts about machines that the person told stay, told by nobody who is known.
 */
export function memoryPersonalStores(parts: Parts): readonly PersonalStore[] {
  const { archive, working, cache, anchors, feed, procedures } = parts;
  const hash: RedactionHash = (kind, normalised) => parts.hash.of(kind, normalised);
  return [
    {
      name: 'working memory',
      erase: async () => {
        const { sessions } = working.figures;
        working.clear();
        return { count: sessions };
      },
    },
    {
      name: 'memory',
      erase: (erasure) => feed.still(() => fromMemory(erasure, parts, hash)),
    },
    {
      name: 'names and facts in memory',
      erase: async (erasure) => {
        await cache.reload();
        const of = personIn(erasure, hash);
        const subject = `person:${erasure.person.id}`;
        return { count: anchors.forget((name, id) => id === subject || of(name)) };
      },
    },
    {
      name: 'archive',
      erase: async (erasure) => {
        const of = personIn(erasure, hash);
        const { changed, damagedBytes } = await archive.rewrite((line) =>
          of(parsed(line.text)) ? undefined : line,
        );
        return {
          count: changed,
          byHand:
            damagedBytes === 0
              ? []
              : [`${damagedBytes} bytes of the archive that could not be read are gone too`],
        };
      },
    },
    {
      name: 'procedures',
      erase: async (erasure) => {
        const shelf = await procedures.read();
        const of = personIn(erasure, hash);
        const reports = (shelf?.cases.reports ?? []).filter(of).map(({ id }) => `report ${id}`);
        const guides = (shelf?.procedures.procedures ?? []).filter(of).map(({ id }) => `procedure ${id}`);
        return {
          count: 0,
          byHand: [...reports, ...guides].map(
            (what) =>
              `${what} names the person, in what somebody wrote: take it out, there and in the history of the repository`,
          ),
        };
      },
    },
  ];
}

/** What waits to be remembered, and what is. */
async function fromMemory(
  erasure: Erasure,
  { inbox, store }: Pick<Parts, 'inbox' | 'store'>,
  hash: RedactionHash,
): Promise<ErasedShare> {
  const of = personIn(erasure, hash);
  const waiting = await inbox.waiting(await inbox.count());
  const theirs = waiting.filter(({ capture }) => of(capture)).map(({ arrival }) => arrival);
  if (theirs.length > 0) await inbox.done(theirs);
  const { id, pseudonym } = erasure.person;
  const forms = formsOfPerson(erasure.person, erasure.names, hash);
  const counts = await store.erase({ personIds: [id], forms, pseudonym });
  const { episodes, facts, pseudonymised, files, cleared } = counts;
  const stay = `${pseudonymised} facts that the person told about machines stay, for the safety of others: nobody can tell any more who told them`;
  const left = 'memory.db could not be cleared of the bytes yet: make room on the disk, it is tried again';
  return {
    count: theirs.length + episodes + facts + pseudonymised + files,
    byHand: [...(pseudonymised === 0 ? [] : [stay]), ...(cleared ? [] : [left])],
  };
}

/** Whether a value names the person in any of its texts, or is theirs. */
function personIn({ person, names }: Erasure, hash: RedactionHash): (value: unknown) => boolean {
  const forms = formsOfPerson(person, names, hash);
  const ids = new Set([person.id, `person:${person.id}`]);
  const isNamed = (value: unknown): boolean => {
    if (typeof value === 'string') return ids.has(value) || namesAnyOf(value, forms);
    if (typeof value !== 'object' || value === null) return false;
    return Object.values(value).some(isNamed);
  };
  return (value) => isNamed(value) || names.inValue(value) !== value;
}

/** What is no JSON is looked through as the text that it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
