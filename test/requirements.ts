/**
 * Which requirement is proved by which tests. `whole` says whether the tests prove all of it or a part; a requirement
 * that is not here is not proved. `test/unit/requirements.test.ts` checks that every id, file and test exists, and that
 * the families that are done miss none.
 */

/** The families of requirements and how many each has. E: mistakes of the articles, which must not come back. */
export const FAMILIES: Readonly<Record<string, number>> = {
  S: 20,
  N: 6,
  T: 20,
  MC: 6,
  CO: 8,
  MX: 8,
  MM: 6,
  M: 15,
  A: 3,
  P: 7,
  O: 5,
  D: 7,
  F: 20,
  E: 16,
};

/** Families of which every requirement has a test. */
export const DONE: readonly string[] = ['S', 'N', 'T', 'MC', 'MM', 'M', 'A', 'P'];

/** Pitfalls and mistakes that belong to those families: sessions, intents, tools and workflows. Every one has a test. */
export const DONE_BESIDE: readonly string[] = [
  ...['F-01', 'F-02', 'F-03', 'F-06', 'F-07', 'F-08', 'F-11', 'F-14', 'F-15', 'F-16', 'F-19', 'F-20'],
  ...['E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E9', 'E10', 'E11', 'E13', 'E14'],
];

/** The ids of a family as they are written: S-01, and E1. */
export function idsOf(family: string): readonly string[] {
  return Array.from({ length: FAMILIES[family] ?? 0 }, (_, n) =>
    family === 'E' ? `E${n + 1}` : `${family}-${String(n + 1).padStart(2, '0')}`,
  );
}

export interface Proof {
  readonly whole: boolean;
  /** What of it is proved, where that is not all. */
  readonly part?: string;
  /** Test file below `test/`, then the test's name as it is written there. */
  readonly tests: readonly (readonly [file: string, name: string])[];
}

const MACHINE = 'unit/domain/session/session-machine.test.ts';
const MACHINE_PROPERTY = 'unit/domain/session/session-machine.property.test.ts';
const STATE_HASH = 'unit/domain/session/state-hash.test.ts';
const TURN_ID = 'unit/domain/session/turn-id.test.ts';
const LIFESPAN = 'unit/domain/session/lifespan.test.ts';
const LEDGER = 'unit/domain/session/ledger.test.ts';
const CANCEL = 'unit/domain/session/ledger-cancel.test.ts';
const RESUME = 'unit/domain/session/ledger-resume.test.ts';
const LEDGER_PROPERTY = 'unit/domain/session/ledger.property.test.ts';
const REFERENCE = 'unit/domain/session/action-reference.test.ts';
const WINDOW = 'unit/domain/session/context-window.test.ts';
const SUMMARY = 'unit/domain/session/rolling-summary.test.ts';
const WINDOWS = 'unit/domain/session/sub-contexts.test.ts';
const TOKENS = 'unit/domain/session/token-estimate.test.ts';
const HANDLING = 'unit/domain/session/choose-handling.test.ts';
const ANCHORS = 'unit/domain/session/anchor-words.test.ts';
const GATE = 'unit/domain/gate/gate.test.ts';
const ROLE = 'unit/domain/gate/role.test.ts';
const CONTRACT = 'unit/domain/tool/check-contract.test.ts';
const ARGUMENTS = 'unit/domain/tool/check-arguments.test.ts';
const RESULT = 'unit/domain/tool/check-result.test.ts';
const BREAKER = 'unit/domain/tool/breaker.test.ts';
const GUARDS = 'unit/domain/tool/call-guards.test.ts';
const DEPENDENCIES = 'unit/domain/tool/dependencies.test.ts';
const LIMIT = 'unit/domain/tool/execution-limit.test.ts';
const DECLARATION = 'unit/domain/tool/json-schema-of.test.ts';
const TICKET = 'unit/domain/tool/ticket.test.ts';
const UNITS = 'unit/domain/tool/units.test.ts';
const CLASSIFIER = 'unit/domain/planning/classifier.test.ts';
const RESEND = 'unit/domain/planning/resend.test.ts';
const ROUTING = 'unit/domain/planning/route-by-rules.test.ts';
const RULE_FILE = 'unit/domain/planning/parse-rules.test.ts';
const TFIDF = 'unit/domain/planning/tfidf.test.ts';
const HEARING = 'unit/domain/intent/hearing-policy.test.ts';
const WORKFLOW = 'unit/domain/workflow/advance-workflow.test.ts';
const WORKFLOW_RUNNER = 'contract/tooling/workflow-runner.test.ts';
const WORKFLOW_KILLED = 'contract/tooling/workflow-killed.test.ts';
const WORKFLOW_FILE = 'unit/domain/workflow/workflow-definition.test.ts';
const RUNNER = 'unit/tooling/pack-tool-runner.test.ts';
const RUNS = 'unit/tooling/handler-runs.test.ts';
const REGISTRY = 'unit/tooling/tool-registry.test.ts';
const NESTED = 'unit/tooling/nested-call.test.ts';
const BREAKERS = 'unit/tooling/breakers.test.ts';
const TABLE = 'unit/app/engine/session-table.test.ts';
const CONTEXT = 'unit/app/engine/session-context.test.ts';
const SLOTS = 'unit/adapters/sandbox/call-slots.test.ts';
const USES = 'unit/adapters/sandbox/capability-uses.test.ts';
const TOOL_LIMITS = 'unit/composition/shipped-tool-limits.test.ts';
const BADGES = 'unit/app/badges.test.ts';
const HOUSE = 'contract/app/engine/session-house.test.ts';
const LOG = 'contract/app/engine/conversation-log.test.ts';
const CONVERSATION = 'contract/app/engine/conversation.test.ts';
const STATIONS = 'contract/app/engine/many-stations.test.ts';
const TICKETS = 'contract/app/tickets.test.ts';
const STORE = 'contract/sqlite/session-store.test.ts';
const KILLED = 'contract/sqlite/killed-while-acting.test.ts';
const STORAGE = 'contract/sqlite/state-database.test.ts';
const WRITE_ORDER = 'contract/sqlite/write-order.test.ts';
const OUTBOX = 'contract/sqlite/outbox.test.ts';
const PLANNER = 'contract/planning/model-planner.test.ts';
const RULE_BOOK = 'contract/planning/rule-book.test.ts';
const SANDBOX = 'contract/sandbox/process-sandbox.test.ts';
const HOSTILE = 'contract/sandbox/hostile-tools.test.ts';
const PACKS = 'contract/tooling/packs-in-sandbox.test.ts';
const SHIPPED = 'contract/tools/shipped-packs-in-sandbox.test.ts';
const PACK_FILES = 'contract/tooling/tool-pack-files.test.ts';
const EVERY_WAY = 'contract/app/engine/gate-every-way.test.ts';
const ROLL_BACK = 'contract/app/engine/roll-back.test.ts';
const RULE_ROUTER = 'unit/app/planning/rule-router.test.ts';
const SLOT_CONFIDENCE = 'unit/domain/intent/slot-confidence.test.ts';
const TURN_MARKS = 'unit/domain/session/turn-marks.test.ts';
const NODE_GAUGE = 'contract/proc/proc-node-gauge.test.ts';
const RECOGNISER = 'contract/recogniser/vosk-recogniser.test.ts';
const VOICE_LOOP = 'unit/app/voice-loop.test.ts';
const WORKFLOW_PARTS = 'unit/domain/workflow/workflow-file.test.ts';
const STEPS = 'contract/app/engine/steps.test.ts';
const RESTART = 'contract/app/engine/restart.test.ts';
const KILLED_WHOLE = 'contract/app/engine/killed.test.ts';
const TICKET_WORDS = 'unit/app/ticket-words.test.ts';
const OUTBOX_DELIVERY = 'unit/app/outbox-delivery.test.ts';
const PEOPLE = 'contract/app/engine/people.test.ts';
const HTTP = 'contract/http/http-server.test.ts';
const SESSIONS_COMMAND = 'contract/commands/sessions.test.ts';
const TOOLS_COMMAND = 'contract/commands/tools-and-tickets.test.ts';
const WEBHOOK = 'contract/webhook/ticket-webhook.test.ts';
const MQTT = 'contract/mqtt/mqtt-surface.test.ts';
const SYSTEMD = 'contract/systemd/systemd-service.test.ts';
const FIVE_COMMANDS = 'scenario/five-commands.test.ts';
const SPOKEN = 'scenario/spoken-read.test.ts';
const PARTS = 'scenario/parts-come-and-go.test.ts';
const ALARMS = 'scenario/alarms.test.ts';
const YAML = 'unit/config/load-yaml.test.ts';
const POINT_WRITER = 'contract/modbus/point-writer.test.ts';
const WRITE_VALUE = 'unit/domain/plc/writing/write-value.test.ts';
const CAPTURE_RULES = 'unit/domain/memory/capture-rules.test.ts';
const COMPRESS = 'unit/domain/memory/compress.test.ts';
const EPISODE_OF = 'unit/domain/memory/episode-of.test.ts';
const DECAY = 'unit/domain/memory/decay.test.ts';
const KEY_FACT = 'unit/domain/memory/key-fact.test.ts';
const REDACT = 'unit/domain/memory/redact.test.ts';
const FACT_LEDGER = 'unit/domain/memory/fact-ledger.test.ts';
const FACT_LAWS = 'unit/domain/memory/fact-ledger-laws.test.ts';
const WORKING = 'unit/domain/memory/working-memory.test.ts';
const NEED = 'unit/domain/memory/recall/need.test.ts';
const RANK = 'unit/domain/memory/recall/rank.test.ts';
const MENTIONS = 'unit/domain/memory/anchors/mention-finder.test.ts';
const POINTING_BACK = 'unit/domain/memory/anchors/utterance-anchors.test.ts';
const ANCHOR_POOL = 'unit/app/memory/anchor-pool.test.ts';
const MEMORY_WRITER = 'contract/memory/memory-writer.test.ts';
const FACTS = 'contract/memory/facts.test.ts';
const FACT_CHECKING = 'contract/memory/fact-checking.test.ts';
const MEMORY_ERASING = 'contract/memory/person-erasing.test.ts';
const STATE_ERASING = 'contract/sqlite/person-erasing.test.ts';
const MEMORY_TROUBLE = 'contract/sqlite/memory-trouble.test.ts';
const ARCHIVE = 'contract/reports/memory-archive.test.ts';
const PROCEDURES = 'contract/git/git-procedures.test.ts';
const PUSHING = 'contract/git/pushing.test.ts';
const DIAGNOSES = 'contract/workorders/diagnosis-reports.test.ts';
const TOLD = 'contract/app/engine/memory.test.ts';
const MEMORY_COMMAND = 'contract/commands/memory.test.ts';
const GATE_LINES = 'unit/domain/gate/gate-lines.test.ts';
const DIRECTORY = 'unit/domain/people/directory.test.ts';

export const REQUIREMENTS: Readonly<Record<string, Proof>> = {
  'S-01': {
    whole: true,
    tests: [
      [MACHINE, 'refuses an illegal event with a reason, and changes nothing'],
      [HOUSE, 'refuses an illegal event, writes it into the audit, and stays as it was'],
    ],
  },
  'S-02': {
    whole: true,
    tests: [
      [MACHINE, 'takes a spoken read from speech to completion'],
      [MACHINE, 'ends no turn twice, and none that it did not open, whatever comes'],
      [
        MACHINE_PROPERTY,
        'a million random events: no illegal state, no lost deadline, and every session ends',
      ],
      [MACHINE, 'is abandoned when something else is wanted'],
    ],
  },
  'S-03': {
    whole: false,
    part: 'all of it but the limits of parsing, which is done before it could run out of time',
    tests: [
      [STEPS, 'call a person at the third turn in a row, and that is told once'],
      [MACHINE, 'runs out 60 s after its question was heard first, and unheard 60 s after it was asked'],
      [RULE_ROUTER, 'is the fallback of its rule when the time for it is over before the PLC answers'],
      [EVERY_WAY, 'by silence: after 60 s the question is over, and that is said'],
      [MACHINE, 'listens 30 s, parses 500 ms, routes 200 ms, confirms 60 s, and rests for ever'],
      [MACHINE, 'falls back to keywords after 500 ms, and after 80 ms more it has not understood'],
      [MACHINE, 'takes the fallback route after 200 ms, and gives up after 200 ms more'],
      [MACHINE, 'runs out after 30 s: the calls are aborted and counted against their tools'],
      [MACHINE, 'takes silence for no: an open confirmation that runs out is cancelled'],
      [MACHINE, 'gives up at the third failure'],
      [HOUSE, 'is brought back to rest by its timers alone when a turn hangs %s'],
    ],
  },
  'S-04': {
    whole: true,
    tests: [
      [RECOGNISER, 'forgets at a rest the noise that it hears, and no command that follows it'],
      [RECOGNISER, 'keeps at a rest the words that it hears by then, also where one has just begun'],
      [VOICE_LOOP, 'sleeps through one noise, and wakes at what is heard after 300 ms of quiet'],
      [
        EVERY_WAY,
        'lets the microphone sleep after 3 s of noise, and neither in words nor while a question is open',
      ],
      [MACHINE, 'goes back to sleep when 3 s of speech hold no keyword'],
      [MACHINE, 'is not kept awake by noise that starts again and again'],
      [MACHINE, 'stays awake for speech with a keyword, and cuts one utterance at 15 s'],
    ],
  },
  'S-05': {
    whole: true,
    tests: [
      [MACHINE, 'plans again twice, then takes the fallback route'],
      [PLANNER, 'is told what was wrong, and may mend it twice'],
    ],
  },
  'S-06': {
    whole: true,
    tests: [
      [
        MACHINE,
        'begins a plan only when it is valid, its tools are READY, and 1.8 times its estimate is left',
      ],
      [MACHINE, 'says that 200 ms are 360 ms with the margin, not 360 s'],
    ],
  },
  'S-07': {
    whole: true,
    tests: [
      [EVERY_WAY, 'again by a turn that is sent again'],
      [TURN_ID, 'is tr_ and 48 random bits'],
      [TURN_ID, 'of a client is kept when it has the right form, so that a command sent again has the same'],
      [STATE_HASH, 'is a SHA-256 over exactly twelve fields'],
      [STATE_HASH, 'is another one when %s changes'],
      [
        STATE_HASH,
        'is the same for the same state, in whatever order its fields stand and whenever it is taken',
      ],
      [STORE, 'is known again after a restart, so that its retransmission does nothing'],
    ],
  },
  'S-08': {
    whole: true,
    tests: [
      [STEPS, 'which a call shortens that ends while its turn waits for a yes'],
      [STEPS, 'which no call shortens that ends after its own turn'],
      [LIFESPAN, 'after %i calls, with %i confirmations pending, is %d ms'],
      [LIFESPAN, 'has a base of 300 s, and of 120 s for alarms and tools'],
      [LIFESPAN, 'is 60 to 600 s, shorter with every call and longer with every confirmation'],
      [MACHINE, 'each call shortens the lifespan, and a task whose lifespan is over is abandoned aloud'],
      [MACHINE, 'stands still for the lifespan and the watchdog'],
    ],
  },
  'S-09': {
    whole: true,
    tests: [
      [
        ROLL_BACK,
        'is undone one step at a time, the newest first, and no other turn of the session runs any of it',
      ],
      [
        FIVE_COMMANDS,
        'tell yesterday, compare, export, mail after a yes, and take the export back, naming the mail that is sent',
      ],
      [FIVE_COMMANDS, 'stop an export that runs, and hold the mail that was consented to and waited for it'],
      [STEPS, 'that waits: it will not be done, and the others are'],
      [STEPS, 'that runs: it is stopped, and what needs it is held and named'],
      [STEPS, 'that is done: it is undone once that is confirmed, and the file is gone'],
      [STEPS, 'on which a mail depends that is sent: that is said by its name'],
      [
        LEDGER,
        'becomes actions with steps counted from 1, what they depend on, and where their values come from',
      ],
      [REFERENCE, 'by number is the step of that number, whatever became of it (the third step, 第三步)'],
      [CANCEL, 'that has not begun: it is cancelled, and the mail is held'],
      [CANCEL, 'that runs: its call is aborted, the mail is held, and it is over when the call says so'],
      [CANCEL, 'that is done: its compensation is planned, and the mail that has not gone is held'],
      [CANCEL, 'that is done, with the mail gone: the mail is named aloud'],
      [STORE, 'comes back after a restart as it was: state, ledger, messages, outbox, turn and audit'],
    ],
  },
  'S-10': {
    whole: true,
    tests: [
      [HOUSE, 'is archived when nobody has used it for 15 minutes: on disk with its end, in memory no more'],
      [TABLE, 'renews a session with each use, by id or by station'],
      [TABLE, 'is told of each departure once, and leaves no timer behind'],
    ],
  },
  'S-11': {
    whole: false,
    part: 'all but references to memory, which there is none of yet',
    tests: [
      [STORE, 'comes back after a restart as it was: state, ledger, messages, outbox, turn and audit'],
      [LOG, 'keeps what was heard apart from what was answered'],
    ],
  },
  'S-12': {
    whole: true,
    tests: [
      [
        KILLED_WHOLE,
        'loses nothing, repeats no write, order or report, and sends a mail again under its one id alone, when it is killed at any moment of a conversation',
      ],
      [ROLL_BACK, 'is named after a kill between two undos; nothing of it runs by itself'],
      [
        RESTART,
        'leaves of a roll-back what was not undone yet: it is named, each undo is asked about in its order, and is done once',
      ],
      [
        RESUME,
        'what a roll-back had still to undo is offered in its order, is its own no more, and does not run before',
      ],
      [
        RESTART,
        'kills the open question; "continue" asks again, with the value of now, and nothing is done twice',
      ],
      [
        RESTART,
        'leaves a write that was under way with an outcome that nobody knows: it is named, and not repeated',
      ],
      [HOUSE, 'is found again by its station after a restart, and by no other'],
      [STORE, 'comes back after a restart as it was: state, ledger, messages, outbox, turn and audit'],
      [
        KILLED,
        'loses nothing, repeats no effect and tears nothing when it is killed at any moment of a plan',
      ],
    ],
  },
  'S-13': {
    whole: false,
    part: 'state, ledger and messages; mail and orders are put out in a transaction of their own, under a key that repeats nothing',
    tests: [
      [
        OUTBOX_DELIVERY,
        'that had its end before a restart has it at once when it is sent again, and goes out no second time',
      ],
      [STORE, 'is written wholly or not at all when two writers start from the same version'],
      [STORE, 'is refused when the version is too new, or the session is not there any more'],
      [STORAGE, 'undoes a transaction that fails half way and goes on with the next'],
      [
        KILLED,
        'loses nothing, repeats no effect and tears nothing when it is killed at any moment of a plan',
      ],
    ],
  },
  'S-14': {
    whole: true,
    tests: [
      [STATIONS, 'have a session, a ledger and an answer each, and see nothing of one another'],
      [
        STATIONS,
        'that all speak in one moment are answered or told that it is busy, and no tool is given up for it',
      ],
      [CONTEXT, 'follows its work through every await, and three hundred at once never mix'],
      [HOSTILE, 'leaves the rest alone while many of them run at once'],
    ],
  },
  'S-15': {
    whole: true,
    tests: [
      [
        LOG,
        'has a window of its own for alarms, which drives nothing out of the talk and out of its summary',
      ],
      [LOG, 'keeps the evidence of a diagnosis, and of no other action, in a window of its own'],
      [CONVERSATION, 'keeps alarms and the evidence of a diagnosis beside the talk, in windows of their own'],
      [
        WINDOWS,
        'puts what was decided and said in the end into the main one, and the way there into its own',
      ],
      [WINDOWS, 'are trimmed each by itself: a talkative tool drives out no decision'],
      [WINDOWS, 'shows each part the main window and its own, and no other'],
      [LOG, 'keeps what was heard apart from what was answered'],
      [LOG, 'holds in memory what fits into its windows, and keeps all of it on disk'],
    ],
  },
  'S-16': {
    whole: true,
    tests: [
      [WINDOW, 'keeps what is about the same as the query, however old'],
      [WINDOW, 'fills what is left with the newest'],
      [
        WINDOW,
        'keeps to the limit whatever it is given, loses nothing that is protected, and keeps the order',
      ],
      [LOG, 'holds in memory what fits into its windows, and keeps all of it on disk'],
    ],
  },
  'S-17': {
    whole: true,
    tests: [
      [
        WINDOW,
        'keeps "yesterday" with its neighbours on both sides, and drops the newest small talk before it',
      ],
      [WINDOW, 'keeps 昨天 with its neighbours in Chinese too'],
      [ANCHORS, 'is found in %s'],
      [LOG, 'holds in memory what fits into its windows, and keeps all of it on disk'],
    ],
  },
  'S-18': {
    whole: true,
    tests: [
      [TOKENS, 'of %j is %i: 1.75 a Chinese character, 1.3 a word, rounded up'],
      [TOKENS, 'lies between 1.5 and 2 for each Chinese character'],
      [WINDOW, 'counts tokens, not messages'],
      [WINDOW, 'never drops a protected message, even when it alone is more than the limit'],
      [SUMMARY, 'keeps names, figures and decisions, and no small talk'],
      [SUMMARY, 'is due after so many turns that are not in it'],
      [LOG, 'leaves behind in a summary what was named, measured and decided, and has it after a restart'],
    ],
  },
  'S-19': {
    whole: true,
    tests: [
      [MQTT, 'takes station and session from user properties, and brings the session in one'],
      [EVERY_WAY, 'by a sender over MQTT with a session that is not of its station: nothing opens'],
      [SESSIONS_COMMAND, 'shows state, ledger and timeline by the beginning of an id'],
      [HTTP, 'keeps the conversations of its callers apart, and takes no other station for theirs'],
      [TABLE, 'opens no conversation of another station to who knows its id'],
      [HOUSE, 'has an id that says nothing of its station, person or time, and that two never share'],
    ],
  },
  'S-20': {
    whole: true,
    tests: [
      [
        TURN_MARKS,
        'is badly when three of the last ten turns were corrected, and no longer once they are past',
      ],
      [STEPS, '(%j) are planned by no model'],
      [STEPS, 'are done one at a time'],
      [STEPS, 'are said again before they are carried out; what only looks is answered at once'],
      [NODE_GAUGE, 'is what the kernel of this machine says'],
      [HANDLING, 'a correction is worked out on the ledger and read back; no model is asked'],
      [HANDLING, 'whoever is often misunderstood hears a command again before it is carried out'],
      [HANDLING, 'a box under load (%j) asks no model and does one thing at a time'],
    ],
  },
  'N-01': {
    whole: true,
    tests: [
      [
        CLASSIFIER,
        'find the intent of 200 and more utterances in both languages with an F1 of at least 0.86',
      ],
      [CLASSIFIER, '%s: the slots of "%s" are found wherever they stand'],
      [PLANNER, 'since nothing listens there gives no plan'],
    ],
  },
  'N-02': {
    whole: false,
    part: 'facts count as unknown until the daemon has a memory: a rule that asks for one takes its fallback',
    tests: [
      [
        RULE_ROUTER,
        'is the fallback of its rule where nobody knows the fact, whichever way round it is asked',
      ],
      [RULE_ROUTER, 'follows what is measured of the node, and is the fallback where nothing is'],
      [ROUTING, 'over a point first say that it has to be read'],
      [ROUTING, 'over role, slots, memory, the node and the ledger'],
      [ROUTING, 'have a rule for every intent that carries a plan, and each plan is of at most five steps'],
      [RULE_BOOK, 'follow the file within three seconds, whether it is written over or replaced'],
      [RULE_BOOK, 'stay those from before while the file is invalid, and it is reported'],
      [RULE_FILE, 'whatever it holds is read or refused with a line'],
    ],
  },
  'N-03': {
    whole: true,
    tests: [
      [CLASSIFIER, 'find those that no template has with an F1 of at least 0.8'],
      [TFIDF, 'follows the formula: the cosine of 1 + ln(labels / labels that have the term)'],
      [ROUTING, 'carries a read, and the plan says what it rests on'],
      [MACHINE, 'falls back to keywords after 500 ms, and after 80 ms more it has not understood'],
    ],
  },
  'N-04': {
    whole: true,
    tests: [
      [SLOT_CONFIDENCE, 'is the confidence of its least sure word, whatever is beside it'],
      [CONVERSATION, 'asks for the name that it is not sure of, once, and a spoken answer settles it'],
      [CONVERSATION, 'has the whole sentence said again where more than a name is in doubt'],
      [RESEND, '%s, %s: the report of that day is found and sent, without a model'],
      [RESEND, 'two Wednesdays that could be meant lead to a question with both days'],
      [REFERENCE, 'by number is the step of that number, whatever became of it (the third step, 第三步)'],
      [ROUTING, 'asks about a slot that it is not sure of'],
      [HEARING, 'wants a lone word to be sure'],
      [
        CONVERSATION,
        'asks which of two machines with one name is meant, and takes a name or a place for an answer',
      ],
    ],
  },
  'N-05': {
    whole: true,
    tests: [
      [PEOPLE, 'the report of a day goes to the one who was meant, once that is sure and confirmed'],
      [PEOPLE, 'a name that nobody has goes nowhere'],
      [RESEND, 'a name that nobody has is passed on in brackets and asked about, never acted on'],
      [RESEND, 'a name that is only like one is flagged, so that the gate asks'],
    ],
  },
  'N-06': {
    whole: true,
    tests: [
      [EVERY_WAY, 'by the plan of a model: a person has to confirm it, in the words'],
      [ROUTING, 'have a rule for every intent that carries a plan, and each plan is of at most five steps'],
      [RESEND, '%s, %s: the report of that day is found and sent, without a model'],
      [PLANNER, 'since nothing listens there gives no plan'],
      [
        GATE,
        'is proposed when a model makes a write of what a person said, and a person has to confirm it in full',
      ],
      [SPOKEN, 'is answered aloud with the value that the PLC holds, and with the new one when it changes'],
    ],
  },
  'T-01': {
    whole: true,
    tests: [
      [DECLARATION, 'says when to use it, on what conditions, with what and what comes back'],
      [DECLARATION, 'takes exactly what the runner takes, for an independent reader of JSON Schema'],
      [CONTRACT, 'without contradictions has no faults'],
      [REGISTRY, 'does not let a pack of the site take the place of a shipped one'],
    ],
  },
  'T-02': {
    whole: true,
    tests: [
      [CONTRACT, 'requires only what it declares, and the nearest is named'],
      [CONTRACT, '%j does not fit together'],
      [ARGUMENTS, 'take null only where the contract says so'],
      [REGISTRY, 'uses those that fit and names the others with file and key'],
      [PACK_FILES, 'with a wrong key are named with file, line and the nearest key'],
    ],
  },
  'T-03': {
    whole: false,
    part: 'the limit is worked out and shown; the shipped limits are held against what each tool waits for, not against a measured P95',
    tests: [
      [LIMIT, 'is 1.3 times the 95th percentile, rounded up to ten milliseconds: %d ms gives %d ms'],
      [LIMIT, 'rests on the percentile and not on the mean'],
      [RUNNER, 'count calls, failures and the 95th percentile with the limit that follows from it'],
      [RUNNER, 'an idempotent read is repeated as its contract says'],
      [TOOLS_COMMAND, 'shows the contract of one and what its calls came to'],
    ],
  },
  'T-04': {
    whole: true,
    tests: [
      [GATE, 'is refused %s that reaches it'],
      [GATE, 'is refused it by whatever way (%s)'],
      [GATE, 'hears no more than any denial says; the audit names what and who'],
      [EVERY_WAY, 'for somebody who is kept from the data that a tool reaches, by no way'],
      [EVERY_WAY, 'leaves an audit from the words to the register'],
      [GATE, 'hold for whatever comes by %s'],
      [ROLE, 'are asked for by the access level, CRITICAL with a name'],
      [BADGES, 'raises the role at its station for ten minutes, and at no other'],
      [CONTRACT, 'declares the data that its capabilities reach'],
      [RUNNER, 'is asked with checked arguments at the last moment, and nothing runs without it'],
    ],
  },
  'T-05': {
    whole: true,
    tests: [
      [
        RUNNER,
        'are told of start and end with the duration, a digest of the input and the code, and of nothing secret',
      ],
      [RUNNER, 'that fail change nothing'],
    ],
  },
  'T-06': {
    whole: true,
    tests: [
      [RUNNER, 'with wrong arguments never reaches the handler, and opens neither breaker nor ticket'],
      [ARGUMENTS, 'that the contract does not know are refused with the nearest that it does'],
      [ARGUMENTS, 'are held to the limits after the conversion'],
      [ARGUMENTS, 'of any shape lead to an answer and never to an exception'],
      [PLANNER, 'is told what was wrong, and may mend it twice'],
      [MQTT, 'answers an unknown tool and bad arguments with a code'],
    ],
  },
  'T-07': {
    whole: true,
    tests: [
      [
        PLANNER,
        'is an entry of the audit for each try, with length, digest and reason and without its words',
      ],
      [EVERY_WAY, 'by what cannot be read as a call: it is in the audit, without its words'],
      [PLANNER, '%s: its plan is taken as a proposal of a model'],
      [PLANNER, 'is told what was wrong, and may mend it twice'],
      [CONVERSATION, 'asks again for a typed text that it does not understand'],
    ],
  },
  'T-08': {
    whole: true,
    tests: [
      [RESULT, 'is taken when it fits the response'],
      [RESULT, 'is refused otherwise: %j'],
      [RUNNER, 'whose result does not fit is OUTPUT_INVALID'],
    ],
  },
  'T-09': {
    whole: false,
    part: 'all of it; the health check runs the first test of the tool, and does not reach its far side',
    tests: [
      [BREAKER, 'opens for ten minutes after three timeouts in a row'],
      [BREAKER, 'opens after five infrastructure failures, timeouts among them'],
      [BREAKER, 'is half open after a health check that went well, and then lets one of five through'],
      [BREAKER, 'counts no %s: that is not the far side’s fault'],
      [
        BREAKERS,
        'ask for the health of an open one at the end of each cooldown, which grows while it is not well',
      ],
      [RUNNER, 'three times in a row by time, it is left alone until its cooldown is over'],
      [
        RUNNER,
        'for want of a free worker, it is not the tool that failed: no breaker opens, and nobody is called',
      ],
    ],
  },
  'T-10': {
    whole: true,
    tests: [
      [HOSTILE, 'is answered with its code, and the next call is served: $tool $args'],
      [SANDBOX, 'counts what a tool keeps, not the garbage of 400 MB that it has let go'],
      [USES, 'open as many connections at a time as the contract allows; the others wait'],
      [HOSTILE, 'leaves no process behind'],
      [SANDBOX, 'is found and killed when it has left the group, and its parent has ended'],
    ],
  },
  'T-11': {
    whole: true,
    tests: [
      [SANDBOX, 'keeps a worker warm for its tool, and gives it to no other tool and no other capabilities'],
      [SANDBOX, 'gives a worker up after so many calls'],
      [SANDBOX, 'keeps no more processes than its size and one that stands ready'],
    ],
  },
  'T-12': {
    whole: true,
    tests: [
      [SHIPPED, '%s passes its own test cases under its own limits'],
      [PACKS, 'are used when their tests pass: shipped ones and those of the site'],
      [PACKS, 'are not used when a test fails, and say which'],
      [PACKS, 'were tested without anything being written'],
    ],
  },
  'T-13': {
    whole: true,
    tests: [
      [TOOL_LIMITS, '%s outlasts what it waits for by a fifth, so that it can say itself what went wrong'],
      [CONTRACT, 'fits with its kill into a step of ten seconds, unless it is detached'],
      [SANDBOX, 'tells the handler at its limit, and takes what it still answers within a second'],
    ],
  },
  'T-14': {
    whole: true,
    tests: [
      [DEPENDENCIES, 'puts every tool after those it needs'],
      [DEPENDENCIES, 'rejects every member of a cycle and nobody else'],
      [REGISTRY, 'rejects every member of a circle of dependencies and what depends on them'],
      [GUARDS, 'are stopped at the second occurrence of a tool'],
      [RUNNER, 'stop a tool at its second occurrence, and a fourth level'],
    ],
  },
  'T-15': {
    whole: true,
    tests: [
      [STEPS, 'that is done: it is undone once that is confirmed, and the file is gone'],
      [CANCEL, 'that is done: its compensation is planned, and the mail that has not gone is held'],
      [RUNNER, 'the tool that it names stands in, and the answer says so'],
      [CONTRACT, 'never falls back to a tool of higher access'],
      [RUNNER, 'and nothing stands in, a canned answer and a ticket without secrets remain'],
      [RUNNER, 'with an unknown outcome, nothing is tried and a person has to look at it'],
      [TICKETS, 'carry what a person needs: tool, redacted input, path, state hash, time and order'],
    ],
  },
  'T-16': {
    whole: true,
    tests: [
      [ROLL_BACK, 'a turn that hangs is taken back: what the gate lets be undone is, the rest is named'],
      [MACHINE, 'a turn that hangs is ended after 45 s and rolled back, wherever it is'],
      [HOUSE, 'is brought back to rest by its timers alone when a turn hangs %s'],
      [SANDBOX, 'tells the handler at its limit, and takes what it still answers within a second'],
      [RUNS, 'is ended at its limit when the sandbox does not do it'],
    ],
  },
  'T-17': {
    whole: true,
    tests: [
      [ROUTING, 'have a rule for every intent that carries a plan, and each plan is of at most five steps'],
      [GUARDS, 'with the same tool and arguments run twice; the third is blocked'],
      [GUARDS, 'are ten at most, whoever planned them'],
      [RUNNER, 'block the third identical call of one turn, in whatever unit it is asked'],
      [RUNNER, 'and nothing stands in, a canned answer and a ticket without secrets remain'],
    ],
  },
  'T-18': {
    whole: true,
    tests: [
      [
        EVERY_WAY,
        'hears machine, point, present and new value, and after "confirm execute" what became of it',
      ],
      [EVERY_WAY, 'by silence: after 60 s the question is over, and that is said'],
      [GATE, 'hold for whatever comes by %s'],
      [GATE, 'takes the execute phrase for every write, however harmless its tool says it is'],
      [RUNNER, 'count calls, failures and the 95th percentile with the limit that follows from it'],
      [RUNS, 'is ended at its limit when the sandbox does not do it'],
    ],
  },
  'T-19': {
    whole: true,
    tests: [
      [RUNNER, 'that fails leaves the others alone'],
      [HOSTILE, 'leaves the rest alone while many of them run at once'],
      [PACKS, 'that throw anything are answered by the tool that stands in'],
    ],
  },
  'T-20': {
    whole: true,
    tests: [
      [
        CONVERSATION,
        'tells how many are open and the newest three, those about safety first; none when all are settled',
      ],
      [TICKET_WORDS, 'of many tickets three are named, one about safety before those that are newer'],
      [TICKET, 'expires at the end of its life'],
      [TICKET, 'resolves by itself only where that was asked for'],
      [TICKET, 'about safety never ends by time: people are reminded each time its life has passed'],
      [TICKET, 'has a life: none at all is refused'],
      [TICKETS, 'are put into the outbox once for each place where people look'],
      [WEBHOOK, 'posts the ticket in an envelope, with a key that makes a repeat harmless'],
      [MQTT, 'tells a ticket, not retained, and says when nobody can be told'],
    ],
  },
  'MC-01': {
    whole: true,
    tests: [
      [CONVERSATION, 'checks a machine in several steps and says it in one breath: %s'],
      [WORKFLOW_PARTS, 'has nothing to fault in the workflow that is shipped'],
      [STEPS, 'is held to its declared input before anything begins'],
      [
        WORKFLOW,
        'go from pre_check over action to post_update and are COMPLETED, with a snapshot at the end of each',
      ],
      [WORKFLOW_RUNNER, 'runs to COMPLETED, keeps the result of each step, and audits each stage'],
      [WORKFLOW_FILE, 'is data that a YAML file can hold'],
    ],
  },
  'MC-02': {
    whole: true,
    tests: [
      [WORKFLOW, 'let the stage go on with the first needed result, and the other one is never cancelled'],
      [WORKFLOW, 'do not let it go on with a result that is not needed'],
      [WORKFLOW, 'leave a late result usable for the steps after, which wait for it'],
      [
        WORKFLOW_RUNNER,
        'goes on with the first needed result and cancels nothing; the late one is in the end as well',
      ],
    ],
  },
  'MC-03': {
    whole: true,
    tests: [
      [RESTART, 'goes on with a workflow from the stage that it had reached, once the tools are ready'],
      [WORKFLOW, 'goes on from its snapshot: what succeeded is not done again, what ran is begun again'],
      [
        WORKFLOW_RUNNER,
        'goes on from the snapshot of its last stage with the same keys, and repeats no step that had succeeded',
      ],
      [
        WORKFLOW_RUNNER,
        'is the same one under the same id: it is waited for, and afterwards answered from what is kept',
      ],
      [
        WORKFLOW_RUNNER,
        'is not overwritten by a snapshot that comes late, and is forgotten only when it has ended',
      ],
      [
        WORKFLOW_KILLED,
        'moves on after every kill: no call that may not be repeated comes twice, and what ended stays ended',
      ],
    ],
  },
  'MC-04': {
    whole: true,
    tests: [
      [STEPS, 'has FAILED when its step takes too long, and that is said as "busy"'],
      [WORKFLOW, 'fails and says "busy" when its only needed step takes too long'],
      [WORKFLOW_RUNNER, 'moves from a step that never answers: after 10 s it has FAILED, and "busy" is said'],
      [WORKFLOW_RUNNER, 'moves at 30 s whatever its steps do'],
      [WORKFLOW_FILE, 'refuses a step that may take longer than 10 s, and a workflow without steps'],
    ],
  },
  'MC-05': {
    whole: true,
    tests: [
      [STEPS, 'is cancelled like any other step, and nothing of it runs on'],
      [WORKFLOW, 'moves its state on "%s", and nothing stays running'],
      [WORKFLOW, 'ends when its steps have ended, begins each at most once, and leaves none running'],
      [WORKFLOW_RUNNER, 'moves when it is cancelled, and stops what runs'],
    ],
  },
  'MC-06': {
    whole: true,
    tests: [
      [STEPS, 'has FAILED when both its steps fail, and a ticket calls a person'],
      [WORKFLOW, 'fail the workflow and call a person when no needed one comes'],
      [WORKFLOW_RUNNER, 'fails and calls a person when both parallel calls fail'],
    ],
  },
  'F-01': {
    whole: true,
    tests: [
      [HOUSE, 'has an id that says nothing of its station, person or time, and that two never share'],
      [TABLE, 'opens no conversation of another station to who knows its id'],
      [STATIONS, 'have a session, a ledger and an answer each, and see nothing of one another'],
    ],
  },
  'F-02': {
    whole: true,
    tests: [
      [
        WINDOW,
        'keeps "yesterday" with its neighbours on both sides, and drops the newest small talk before it',
      ],
      [LOG, 'holds in memory what fits into its windows, and keeps all of it on disk'],
    ],
  },
  'F-03': {
    whole: true,
    tests: [
      [MACHINE, 'can always be brought to rest, and every state but rest has a limit'],
      [HOUSE, 'is brought back to rest by its timers alone when a turn hangs %s'],
      [WORKFLOW, 'moves its state on "%s", and nothing stays running'],
      [LEDGER_PROPERTY, 'whatever is planned, cancelled, undone and restarted, no action waits for ever'],
    ],
  },
  'F-05': {
    whole: true,
    tests: [
      [STORAGE, 'survives a power cut: WAL, and synchronous FULL'],
      [
        WRITE_ORDER,
        'writes audit entries that wait together in one transaction, in the order they were given',
      ],
      [STORE, 'shares one transaction with others that wait'],
    ],
  },
  'F-06': {
    whole: true,
    tests: [
      [PLANNER, 'since it %s is asked once and never again for that command'],
      [PLANNER, 'three times in a row is left alone for a while'],
      [WEBHOOK, 'is tried again after %d'],
    ],
  },
  'F-07': {
    whole: true,
    tests: [
      [LIFESPAN, 'leaves room for a call of 200 ms when 360.1 ms are left, not 360: all of it milliseconds'],
      [MACHINE, 'says that 200 ms are 360 ms with the margin, not 360 s'],
      [MACHINE, 'each call shortens the lifespan, and a task whose lifespan is over is abandoned aloud'],
    ],
  },
  'F-08': {
    whole: true,
    tests: [
      [SLOTS, 'let short calls pass a long one that waits'],
      [SANDBOX, 'lets calls wait for a worker, so many and no more'],
      [SANDBOX, 'keeps a place for calls that somebody waits for beside those that run on'],
      [
        STATIONS,
        'that all speak in one moment are answered or told that it is busy, and no tool is given up for it',
      ],
    ],
  },
  'F-11': {
    whole: true,
    tests: [
      [TICKET, 'has a life: none at all is refused'],
      [WEBHOOK, 'is tried again after %d'],
      [WEBHOOK, 'says why nobody can be reached'],
      [TICKETS, 'that could not be handed on are handed on at the next start'],
    ],
  },
  'F-14': {
    whole: true,
    tests: [
      [
        CONTEXT,
        'gives each log line the session, turn and station it belongs to, and nothing outside of a turn',
      ],
      [CONTEXT, 'follows its work through every await, and three hundred at once never mix'],
      [STATIONS, 'have a session, a ledger and an answer each, and see nothing of one another'],
    ],
  },
  'F-15': {
    whole: true,
    tests: [
      [HOUSE, 'is found again by its station after a restart, and by no other'],
      [WINDOW, 'never drops a protected message, even when it alone is more than the limit'],
      [LOG, 'leaves behind in a summary what was named, measured and decided, and has it after a restart'],
    ],
  },
  'F-16': {
    whole: true,
    tests: [
      [UNITS, 'does not turn one quantity into another'],
      [ARGUMENTS, 'are held to the limits after the conversion'],
      [RUNNER, 'hands checked arguments in the units of the contract to the handler'],
      [POINT_WRITER, 'sends nothing at all for a value that is out of range or of another type'],
      [WRITE_VALUE, 'never leaves its limits, whatever is asked'],
    ],
  },
  'F-19': {
    whole: true,
    tests: [
      [
        RESTART,
        'kills the open question; "continue" asks again, with the value of now, and nothing is done twice',
      ],
      [HOUSE, 'is found again by its station after a restart, and by no other'],
      [MACHINE, 'an open confirmation is dead, said so, and offered again by "continue"'],
      [RESUME, '%s, which was running, may be done again under the same key'],
      [RESUME, '%s, which was running, is unknown and never repeated'],
      [
        WORKFLOW_RUNNER,
        'goes on from the snapshot of its last stage with the same keys, and repeats no step that had succeeded',
      ],
    ],
  },
  'F-20': {
    whole: true,
    tests: [
      [SANDBOX, 'keeps a worker warm for its tool, and gives it to no other tool and no other capabilities'],
    ],
  },
  E2: {
    whole: true,
    tests: [[LIFESPAN, 'after %i calls, with %i confirmations pending, is %d ms']],
  },
  E3: {
    whole: true,
    tests: [
      [MACHINE, 'says that 200 ms are 360 ms with the margin, not 360 s'],
      [LIFESPAN, 'leaves room for a call of 200 ms when 360.1 ms are left, not 360: all of it milliseconds'],
    ],
  },
  E4: {
    whole: true,
    tests: [
      [TURN_ID, 'is tr_ and 48 random bits'],
      [TURN_ID, 'of the form %s is none, and a new one is made'],
      [HOUSE, 'has an id that says nothing of its station, person or time, and that two never share'],
    ],
  },
  E5: {
    whole: true,
    tests: [
      [LIMIT, 'rests on the percentile and not on the mean'],
      [LIMIT, 'is 1.3 times the 95th percentile, rounded up to ten milliseconds: %d ms gives %d ms'],
    ],
  },
  E6: {
    whole: true,
    tests: [
      [WORKFLOW, 'let the stage go on with the first needed result, and the other one is never cancelled'],
      [
        WORKFLOW_RUNNER,
        'goes on with the first needed result and cancels nothing; the late one is in the end as well',
      ],
      [
        WORKFLOW_RUNNER,
        'waits for the result of an asynchronous function instead of taking its promise for one',
      ],
    ],
  },
  E7: {
    whole: true,
    tests: [
      [TABLE, 'lets a session go that nobody has used for 15 minutes, without anybody asking for it'],
      [STORE, 'updates an action and a message where they stand instead of adding them again'],
      [OUTBOX, 'takes the same id for the same message: newer words replace those that wait, in their place'],
    ],
  },
  E9: {
    whole: true,
    tests: [
      [ARGUMENTS, 'miss nothing that is required: the list stands in `parameters` and is held'],
      [DECLARATION, 'takes exactly what the runner takes, for an independent reader of JSON Schema'],
    ],
  },
  E10: {
    whole: false,
    part: 'the code of tools: YAML is read as YAML, tests run, input arrives, memory has a limit',
    tests: [
      [PACK_FILES, 'that fit are read, with the place of every key'],
      [PACK_FILES, 'need at least one test'],
      [
        STATE_HASH,
        'is the same for the same state, in whatever order its fields stand and whenever it is taken',
      ],
      [SANDBOX, 'hands arguments, capability answers and results of any size on as they are'],
    ],
  },
  E11: {
    whole: true,
    tests: [
      [
        CLASSIFIER,
        'find the intent of 200 and more utterances in both languages with an F1 of at least 0.86',
      ],
    ],
  },
  E13: {
    whole: true,
    tests: [
      [LEDGER, 'asked for twice on purpose is two actions with two keys; an action keeps its own key'],
      [LEDGER, 'gives ids of 96 random bits'],
      [NESTED, 'gives a repeat the same key, so that nothing is done twice'],
    ],
  },
  E14: {
    whole: true,
    tests: [[GUARDS, 'are stopped at the second occurrence of a tool']],
  },
  E15: {
    whole: false,
    part: 'no rollback pretends to undo what a machine did',
    tests: [
      [
        RESTART,
        'leaves a write that was under way with an outcome that nobody knows: it is named, and not repeated',
      ],
      [CANCEL, 'of which nobody knows what it did: it is said so, and nothing is done'],
      [CANCEL, 'that nothing undoes: it is said so'],
      [LEDGER_PROPERTY, 'a restart repeats nothing that moves a machine'],
    ],
  },
  E16: {
    whole: false,
    part: 'say and the recorder are kept from what they do on their own; vosk is replaced by libvosk',
    tests: [
      [ALARMS, 'is data for festival too'],
      [ALARMS, 'is data: nothing is executed, nothing breaks, and it is kept as it came'],
      [PARTS, 'it has one recorder and one recogniser, and leaves nothing over when it ends'],
    ],
  },
  'MM-01': {
    whole: true,
    tests: [
      [CAPTURE_RULES, '%s is left out: %s'],
      [CAPTURE_RULES, '%s is remembered: %s'],
      [CAPTURE_RULES, 'a structured %s is remembered whatever its words are: %s'],
      [CAPTURE_RULES, 'a wish is enough, without any name'],
      [MEMORY_WRITER, 'of small talk is not kept'],
    ],
  },
  'MM-02': {
    whole: true,
    tests: [
      [COMPRESS, 'names in: %s'],
      [COMPRESS, 'the deed in: %s'],
      [COMPRESS, 'no deadline is before the day it was said'],
      [
        COMPRESS,
        'it is made into the same twice, and the summary is a part of it, in its order, of at most 200 characters',
      ],
      [EPISODE_OF, 'holds the text without what must not be kept, and what was made of it'],
    ],
  },
  'MM-03': {
    whole: false,
    part: 'the classes and their ends; that something is to be asked about again after 90 days is counted, and nobody is asked yet',
    tests: [
      [DECAY, 'a project counts from the closing of its work order, and stays while that is open'],
      [DECAY, 'people and machines stay and are asked about every 90 days'],
      [CAPTURE_RULES, 'what belongs to a work order lasts as long as that'],
      [MEMORY_WRITER, 'of a work order has its end from when that was closed'],
    ],
  },
  'MM-04': {
    whole: false,
    part: 'all but the size that a fact had before it was changed, which is given as 0',
    tests: [
      [
        MEMORY_WRITER,
        'is kept with its text, what it names and the fact that it states, and the log says how much of it',
      ],
      [FACTS, 'takes out what has had its time an hour after it became a candidate, archived first'],
    ],
  },
  'MM-05': {
    whole: false,
    part: 'all but the last two turns, which the windows of the session hold instead',
    tests: [
      [WORKING, 'gives way where it was unused for longest, and takes nothing larger than all there may be'],
      [DECAY, 'a confidence of %d fades within %d h to %d'],
      [ARCHIVE, 'is a file a day of JSON lines, which gunzip reads'],
      [MEMORY_COMMAND, 'shows every level with how much is in it and how long that stays'],
    ],
  },
  'MM-06': {
    whole: true,
    tests: [
      [WORKING, 'is the newest value, with the one before it deprecated'],
      [WORKING, 'never changes a value that was handed out'],
      [
        MEMORY_WRITER,
        'goes from the inbox into memory, what cannot be written now stays, and what never can leaves',
      ],
    ],
  },
  'M-01': {
    whole: false,
    part: 'all levels with their sizes and classes; the file of memory has no bound of its own by size yet',
    tests: [
      [MEMORY_COMMAND, 'shows every level with how much is in it and how long that stays'],
      [WORKING, 'is gone after two hours'],
      [WORKING, 'is bounded in one session too, and forgotten without being looked at'],
      [PROCEDURES, 'are read at a version, with its commit and its time'],
      [ARCHIVE, 'loses the days that are older than it is told'],
    ],
  },
  'M-02': {
    whole: true,
    tests: [
      [KEY_FACT, '%s'],
      [KEY_FACT, 'one sign or none is not enough: %s'],
      [DECAY, 'episodes go to the archive, talk of the day only where it was a key fact'],
    ],
  },
  'M-03': {
    whole: true,
    tests: [
      [DECAY, 'a confidence of %d fades within %d h to %d'],
      [DECAY, 'facts of the day go at their end or below 0.3, whichever is first'],
      [DECAY, 'told again, it counts from then'],
    ],
  },
  'M-04': {
    whole: false,
    part: 'limits, setpoints and states against PLCs; no sentence states anything of a work order that could be checked',
    tests: [
      [FACTS, 'is given by the system that the fact is about, after five minutes'],
      [FACTS, 'is refused aloud, in the audit and in the log of memory'],
      [FACTS, 'stays out while its system is %s, and is asked for again'],
      [FACT_CHECKING, 'comes within one scan to a claim of a model that agrees'],
      [FACT_CHECKING, 'is refused to one that differs: told, audited, and not believed'],
      [FACT_CHECKING, 'waits while the PLC is away, and comes when the link returns'],
      [FACT_LEDGER, 'what a model or a report claims is pending and closes nothing until it is verified'],
    ],
  },
  'M-05': {
    whole: false,
    part: 'draft, likeness, age, and the event of a rejection; who may write is decided by the tool that writes',
    tests: [
      [MEMORY_WRITER, 'taken twice under one id changes nothing the second time'],
      [MEMORY_WRITER, 'said again by the same person within the shift refreshes what is there'],
      [MEMORY_WRITER, 'is news with %s'],
      [MEMORY_WRITER, 'is refused when it is %s'],
      [FACTS, 'knows nothing of a claim that the disk did not take'],
    ],
  },
  'M-06': {
    whole: false,
    part: 'all but what was opened last',
    tests: [
      [NEED, '"%s": %s'],
      [NEED, 'is the calendar where only a time is given, and the text where words are too'],
      [RANK, 'is of the day that was asked about'],
      [PROCEDURES, 'are read at a version, with its commit and its time'],
      [TOLD, 'is found by a question that no sentence takes, when it is typed'],
    ],
  },
  'M-07': {
    whole: false,
    part: 'whether memory is needed; there is one scope, that of the site',
    tests: [
      [NEED, '"%s": %s'],
      [TOLD, 'is found by a question that no sentence takes, when it is typed'],
    ],
  },
  'M-08': {
    whole: true,
    tests: [
      [RANK, 'is of the machine that was asked about, not of its neighbour'],
      [RANK, 'is what somebody said rather than a reading of the moment'],
      [RANK, 'where nothing was found'],
      [TOLD, 'is said back, and told again with when it was said, as a quotation'],
      [
        MEMORY_COMMAND,
        'remembers a text, finds it with score, source, trust and age, and says why it finds nothing',
      ],
    ],
  },
  'M-09': {
    whole: true,
    tests: [
      [CAPTURE_RULES, '%s is left out: %s'],
      [CAPTURE_RULES, '%s is remembered: %s'],
      [KEY_FACT, '%s'],
    ],
  },
  'M-10': {
    whole: true,
    tests: [
      [
        FACT_LAWS,
        'among what is believed of one key no two intervals overlap, in whatever order it was told',
      ],
      [
        FACT_LAWS,
        'nothing is deleted or edited but for what took its place, and every past state can be rebuilt',
      ],
      [FACT_LEDGER, 'a different value of equal trust closes the old interval at its own begin'],
      [FACT_LEDGER, 'of two claims in one moment the surer one is believed'],
      [MEMORY_COMMAND, 'tells what held at a time, and what the box knew at another'],
    ],
  },
  'M-11': {
    whole: false,
    part: 'the rule and the review; no sentence makes a fact that the rule holds for',
    tests: [
      [FACT_LEDGER, 'what is said of a person waits for that person, a maintainer, or a second day'],
      [TOLD, 'is reviewed one at a time, and only somebody known by name decides'],
    ],
  },
  'M-12': {
    whole: true,
    tests: [
      [DECAY, 'what is a candidate goes an hour later and not before'],
      [DECAY, 'episodes go to the archive, talk of the day only where it was a key fact'],
      [FACTS, 'takes out what has had its time an hour after it became a candidate, archived first'],
      [FACTS, 'leaves a candidate that was told again'],
    ],
  },
  'M-13': {
    whole: true,
    tests: [
      [
        MEMORY_TROUBLE,
        'at each page that a write grows by loses nothing that was committed, and leaves nothing of what failed',
      ],
      [FACTS, 'knows nothing of a claim that the disk did not take'],
    ],
  },
  'M-14': {
    whole: true,
    tests: [
      [DIAGNOSES, 'becomes one report, with what was found and what is done'],
      [DIAGNOSES, 'is none without consent, without findings, and of another machine'],
      [DIAGNOSES, 'is one report when the program ends between the commit and the outbox'],
      [PROCEDURES, 'becomes a file with its front matter, is found by words, and is kept once'],
      [PUSHING, 'reports are pushed to a server with the pinned key, and health says so'],
    ],
  },
  'M-15': {
    whole: false,
    part: 'how-tos, reports and deletions; episodes and facts stay on the box',
    tests: [
      [PUSHING, 'reports are kept and read as ever, and how many wait is told'],
      [PUSHING, 'gets what both have, and so does each'],
      [DIAGNOSES, 'waits over restarts while git is missing, and is there once it is not'],
    ],
  },
  'A-01': {
    whole: false,
    part: 'the names of the site; what words that point back mean is kept for nobody yet',
    tests: [
      [MENTIONS, 'takes "%s" for pump seven'],
      [MENTIONS, 'brings everybody and everything that has the name'],
      [POINTING_BACK, 'hold for two hours from when the thing was last spoken of'],
    ],
  },
  'A-02': {
    whole: false,
    part: 'the rule; no command is resolved by the pool yet',
    tests: [
      [ANCHOR_POOL, 'uses what it knows at once, says that it is stale, and looks it up again beside'],
      [ANCHOR_POOL, 'waits for no directory, and ends a look-up that gets no answer in five seconds'],
    ],
  },
  'A-03': {
    whole: false,
    part: 'commands; a question to memory tells of both instead',
    tests: [
      [
        CONVERSATION,
        'asks which of two machines with one name is meant, and takes a name or a place for an answer',
      ],
      [DIRECTORY, 'gives both of two people for "%s", and chooses neither'],
      [COMPRESS, 'a name that is several people, or only like one, is not exact'],
    ],
  },
  'P-01': {
    whole: false,
    part: 'memory and what waits to go there; conversations hold what was said',
    tests: [
      [REDACT, 'a planted mobile number never survives, however it is written or said'],
      [REDACT, 'two spellings of one mobile number get one mark'],
      [REDACT, 'a planted identity number or card never survives'],
      [REDACT, 'a secret leaves no trace, not even a hash: %s'],
      [MEMORY_WRITER, 'holds no telephone number, in no byte of what is kept'],
      [
        STATE_ERASING,
        'is that of its box: made once, for its owner alone, and a key that is none is refused',
      ],
    ],
  },
  'P-02': {
    whole: false,
    part: 'the erasure; the site has one scope and not one for each line',
    tests: [
      [MEMORY_ERASING, 'is in no byte of any file, and everybody else is remembered'],
      [MEMORY_ERASING, 'is gone after the program was killed in the middle and started again'],
      [STATE_ERASING, 'is in no byte of the state, and everybody else is as before'],
      [MEMORY_COMMAND, 'erases a person by any name, with counts and with what is left to people'],
    ],
  },
  'P-03': {
    whole: false,
    part: 'all but a refusal to forget what somebody else told, which is said with its reason',
    tests: [
      [GATE, 'is generic aloud and full in the audit'],
      [GATE, 'hears no more than any denial says; the audit names what and who'],
      [
        GATE_LINES,
        'says of an access that is denied only that it is not possible: no role, no tool, no name',
      ],
    ],
  },
  'P-04': {
    whole: true,
    tests: [
      [YAML, 'takes values from the environment, with the type that the key wants'],
      [
        STATE_ERASING,
        'is that of its box: made once, for its owner alone, and a key that is none is refused',
      ],
      [PUSHING, 'is on no command line and in no file of the repository'],
    ],
  },
  'P-05': {
    whole: true,
    tests: [
      [CONTRACT, 'never falls back to a tool of higher access'],
      [RUNNER, 'the tool that it names stands in, and the answer says so'],
    ],
  },
  'P-06': {
    whole: true,
    tests: [
      [CONTRACT, 'never takes %s as an argument: who asks is the session’s to say'],
      [PACKS, 'are called with what the session knows of the caller'],
    ],
  },
  'P-07': {
    whole: false,
    part: 'schema, size, retained messages, response topics; not yet TLS and rate limits',
    tests: [
      [MQTT, 'refuses and counts what is no alarm, without losing the next one'],
      [MQTT, 'never acts on a retained message'],
      [MQTT, 'never answers into its own inputs'],
    ],
  },
  'D-01': {
    whole: false,
    part: 'deaf while it speaks; not run on a Raspberry Pi',
    tests: [[SPOKEN, 'does not hear itself when the microphone hears the speaker']],
  },
  'D-02': {
    whole: true,
    tests: [
      [YAML, 'takes values from the environment, with the type that the key wants'],
      [YAML, 'names a variable that the environment lacks, and the way out'],
      [RULE_BOOK, 'follow the file within three seconds, whether it is written over or replaced'],
    ],
  },
  'D-03': {
    whole: false,
    part: 'non-root, hardened, watchdog tied to progress, memory ceiling of 768 MB; no processor quota',
    tests: [
      [SYSTEMD, 'is hardened to an exposure of at most 2.0'],
      [SYSTEMD, 'sends no ping without progress, says so, and goes on when it is back'],
    ],
  },
  'D-04': {
    whole: false,
    part: 'each part and the whole assistant killed while it runs, all tools tested, three hundred sessions; no load of a thousand',
    tests: [
      [
        KILLED_WHOLE,
        'loses nothing, repeats no write, order or report, and sends a mail again under its one id alone, when it is killed at any moment of a conversation',
      ],
      [PARTS, 'the microphone process may be killed: typed commands go on, and it is heard again'],
      [PARTS, 'the recogniser may be killed: typed commands go on, and it understands again'],
      [PARTS, 'the Modbus server may stop: it says so instead of a value, and reads again when it is back'],
      [PARTS, 'the broker may stop: voice goes on, and an alarm is heard when it is back'],
      [SHIPPED, '%s passes its own test cases under its own limits'],
      [STATIONS, 'have a session, a ledger and an answer each, and see nothing of one another'],
    ],
  },
  'D-06': {
    whole: true,
    tests: [[STORAGE, 'survives a power cut: WAL, and synchronous FULL']],
  },
};
