import { randomInt } from 'node:crypto';
import { ActionExecutor } from '../app/engine/action-executor.ts';
import { ConfirmDesk } from '../app/engine/confirm-desk.ts';
import { ConsentTaker } from '../app/engine/consent-taker.ts';
import type { ConversationLog } from '../app/engine/conversation-log.ts';
import type { EngineParts } from '../app/engine/engine-parts.ts';
import type { Gatekeeper } from '../app/engine/gatekeeper.ts';
import type { LiveSession } from '../app/engine/live-session.ts';
import { PlanRunner } from '../app/engine/plan-runner.ts';
import { RollBack } from '../app/engine/roll-back.ts';
import { SmallTalk } from '../app/engine/small-talk.ts';
import { StepCommands } from '../app/engine/step-commands.ts';
import { TurnHandler } from '../app/engine/turn-handler.ts';
import { TurnRouter } from '../app/engine/turn-router.ts';
import { TurnWords } from '../app/engine/turn-words.ts';
import type { Language } from '../domain/language/language.ts';
import type { WriteMode } from '../domain/plc/writing/write-order.ts';

interface Setting {
  readonly gatekeeper: Gatekeeper;
  readonly writes: WriteMode;
  readonly language: Language;
  readonly log: ConversationLog;
  /** A person is called to a station where one task after the other fails. */
  readonly escalate: (session: LiveSession, turnId: string, failures: number) => Promise<string | undefined>;
}

/** What takes a turn from its words to its end. */
export interface Turns {
  readonly turns: TurnHandler;
  readonly consents: ConsentTaker;
  readonly runner: PlanRunner;
  readonly rollBack: RollBack;
}

export function composeTurns(common: EngineParts, setting: Setting): Turns {
  const { gatekeeper, writes, language, log, escalate } = setting;
  const says = new TurnWords(common);
  const executor = new ActionExecutor({ ...common, log });
  const desk = new ConfirmDesk({ ...common, random: () => randomInt(2 ** 32) / 2 ** 32 });
  const runner: PlanRunner = new PlanRunner({
    ...common,
    executor,
    gatekeeper,
    says,
    desk,
    confirmAt: (station) => [station],
    takeBack: (session, turnId, done, spoken) => rollBack.takeBack(session, turnId, done, spoken),
    escalate,
  });
  const rollBack = new RollBack({ ...common, executor, runner, language });
  const steps = new StepCommands({ ...common, executor, runner });
  const talk = new SmallTalk({ ...common, runner });
  const router = new TurnRouter({ ...common, runner, steps, talk, says, writes });
  const consents = new ConsentTaker({ ...common, desk, gatekeeper, runner, router, says });
  return {
    turns: new TurnHandler({ ...common, runner, router, consents, steps, says, writes }),
    consents,
    runner,
    rollBack,
  };
}
