import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FestivalVoice, festivalText } from '../../../../src/adapters/speech/festival-voice.ts';

const line = (text: string) => ({ text, voice: null, speed: null });
const surroundings = {
  device: 'plughw:CARD=Device,DEV=0',
  env: { PATH: '/usr/bin' },
  temporaryDirectory: '/tmp/x',
};

describe('a text for festival', () => {
  it('keeps words, numbers and plain punctuation', () => {
    expect(festivalText("Pump 3 isn't at 57.5%.")).toBe("Pump 3 isn't at 57.5%.");
  });

  it('can neither end the string it is put into nor begin a command', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(festivalText(text)).toMatch(/^[A-Za-z0-9 .,:;?!%+/'-]*$/);
      }),
    );
  });
});

describe('the command for festival', () => {
  it('names the sound device and holds the text as one string', () => {
    const { command, args, pipedData, options } = new FestivalVoice(surroundings).buildSpeakCommand(
      line('"))(system "touch /tmp/y")'),
    );
    expect([command, ...args]).toEqual(['festival', '--pipe']);
    expect(pipedData).toContain('aplay -q -D plughw:CARD=Device,DEV=0 ');
    expect(pipedData).toMatch(/\(SayText "system touch \/tmp\/y"\)$/);
    expect(options).toMatchObject({ detached: true, env: { PATH: '/usr/bin', TMPDIR: '/tmp/x' } });
  });

  it.each(['speaker; reboot', 'a"b', '$(id)', 'a b', ''])('refuses %j as a device', (device) => {
    expect(() => new FestivalVoice({ ...surroundings, device })).toThrow(RangeError);
  });
});
