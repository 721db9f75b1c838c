import { describe, expect, it } from 'vitest';
import { isSafeResponseTopic, parseTopic, topicsOf } from '../../../../src/adapters/mqtt/topics.ts';

const topics = topicsOf('hall', 'edge-1');

describe('topics', () => {
  it('stand below edge/v1/{site}/{node}', () => {
    expect(topics.status).toBe('edge/v1/hall/edge-1/status');
  });

  it.each([
    ['edge/v1/hall/edge-1/alarm/oven/overheat/event', { kind: 'alarm', source: 'oven', name: 'overheat' }],
    ['edge/v1/hall/edge-1/cmd/read-value', { kind: 'command', tool: 'read-value' }],
    ['edge/v1/hall/edge-1/say', { kind: 'say' }],
    ['edge/v1/hall/edge-1/badge', { kind: 'badge' }],
  ])('%s is understood', (topic, expected) => {
    expect(parseTopic(topics, topic)).toEqual(expected);
  });

  it.each([
    'edge/v1/hall/edge-2/say',
    'edge/v1/hall/edge-1/say/more',
    'edge/v1/hall/edge-1/badge/microphone',
    'edge/v1/hall/edge-1/cmd',
    'edge/v1/hall/edge-1/cmd/a/b',
    'edge/v1/hall/edge-1/alarm/oven/overheat/state',
    'edge/v1/hall/edge-1/alarm/oven/overheat/event/more',
    'edge/v1/hall/edge-1/status',
  ])('%s is none of ours', (topic) => {
    expect(parseTopic(topics, topic)).toBeUndefined();
  });

  it('are refused when a source or name is longer than an alarm may have', () => {
    const long = 'x'.repeat(201);
    expect(parseTopic(topics, `edge/v1/hall/edge-1/alarm/${long}/overheat/event`)).toBeUndefined();
    expect(parseTopic(topics, `edge/v1/hall/edge-1/alarm/oven/${long}/event`)).toBeUndefined();
  });

  it.each([
    ['edge/v1/hall/edge-1/reply/hmi', true],
    ['hmi/7/replies', true],
    ['hmi/', false],
    ['hmi', false],
    ['plc/line1/setpoint/write', false],
    ['homeassistant/switch/pump/set', false],
    ['edge/v1/hall/edge-1/reply/', false],
    ['edge/v1/hall/edge-1/say', false],
    ['edge/v1/hall/edge-2/cmd/read-value', false],
    ['edge/v1/hall/edge-1/alarm/a/b/event', false],
    ['hmi/+', false],
    ['#', false],
    ['$SYS/x', false],
    ['', false],
    ['hmi/a\0b', false],
  ])('a reply to %j is allowed: %s', (topic, allowed) => {
    expect(isSafeResponseTopic(topics, ['hmi/'], topic)).toBe(allowed);
  });
});
