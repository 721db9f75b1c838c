import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configSchema } from '../../../src/config/config-schema.ts';
import { parseYaml } from '../../../src/config/load-yaml.ts';
import { shipped } from '../../../src/config/shipped.ts';

const text = readFileSync(shipped('config/hermes-edge.yaml'), 'utf8');

const schemaNode = z.object({
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  reload: z.string().optional(),
});
type SchemaNode = z.infer<typeof schemaNode>;

/** Every key of the schema that holds a value, with its description. */
function leaves(node: SchemaNode, path = ''): { readonly path: string; readonly node: SchemaNode }[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
    child.properties === undefined
      ? [{ path: `${path}${key}`, node: child }]
      : leaves(child, `${path}${key}.`),
  );
}

const keys = leaves(schemaNode.parse(z.toJSONSchema(configSchema, { io: 'input' })));

describe('the shipped configuration', () => {
  it('says the defaults', () => {
    expect(parseYaml(text, 'hermes-edge.yaml', configSchema, {})).toEqual(configSchema.parse({}));
  });

  it.each(keys.map(({ path }) => path))('names %s', (path) => {
    const key = path.split('.').at(-1) ?? '';
    expect(text).toMatch(new RegExp(`^[# ]*${key}:`, 'mu'));
  });

  it('is valid with every comment that holds a key taken in', () => {
    const whole = text.replace(/^(\s*)# ?(\s*[a-z_]+:)/gmu, '$1$2');
    const config = parseYaml(whole, 'hermes-edge.yaml', configSchema, {
      MQTT_PASSWORD: 'p',
      HERMES_EDGE_TOKEN: 'x'.repeat(16),
      MAIL_PASSWORD: 'p',
      WORK_ORDER_TOKEN: 't',
      TICKET_TOKEN: 't',
      PROCEDURES_TOKEN: 't',
    });
    expect(config.mqtt?.username).toBe('edge-1');
  });
});

describe('the configuration schema', () => {
  it.each(keys.map(({ path, node }) => [path, node.reload]))(
    'says of %s what its change needs',
    (_path, reload) => {
      expect(['live', 'service', 'process']).toContain(reload);
    },
  );
});
