import SayPlatformLinux from 'say/platform/linux.js';

const SAFE_DEVICE = /^[\w:=,.@-]+$/;

/**
 * A text that festival's command reader takes as nothing but a string: `say` puts it between quotes as it is, and a
 * quote or a backslash in it would let the rest run as a program. Letters, digits and plain punctuation are left.
 */
export function festivalText(text: string): string {
  return text
    .replace(/[^A-Za-z0-9 .,:;?!%+/'-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export interface FestivalSurroundings {
  readonly device: string;
  readonly env: NodeJS.ProcessEnv;
  /** For festival's intermediate sound file. */
  readonly temporaryDirectory: string;
}

/**
 * The package `say` with festival told which sound device to use, in a process group of its own: its `stop` kills
 * process id + 2, whoever that is, so the group is killed instead.
 */
export class FestivalVoice extends SayPlatformLinux {
  readonly #surroundings: FestivalSurroundings;

  /** Throws RangeError for a device name that is no plain ALSA name: it becomes part of a shell command. */
  constructor(surroundings: FestivalSurroundings) {
    super();
    if (!SAFE_DEVICE.test(surroundings.device))
      throw new RangeError(`not a plain ALSA device name: ${surroundings.device}`);
    this.#surroundings = surroundings;
  }

  override buildSpeakCommand(
    line: Parameters<SayPlatformLinux['buildSpeakCommand']>[0],
  ): ReturnType<SayPlatformLinux['buildSpeakCommand']> {
    const { device, env, temporaryDirectory } = this.#surroundings;
    const command = super.buildSpeakCommand({ ...line, text: festivalText(line.text) });
    const player = `aplay -q -D ${device} -c 1 -t raw -f s16 -r $SR $FILE`;
    return {
      ...command,
      pipedData: `(Parameter.set 'Audio_Method 'Audio_Command) (Parameter.set 'Audio_Command "${player}") ${command.pipedData}`,
      options: { detached: true, env: { ...env, TMPDIR: temporaryDirectory } },
    };
  }
}
