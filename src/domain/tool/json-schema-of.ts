import type { JsonObject, JsonValue } from '../json.ts';
import type { Language } from '../language/language.ts';
import { DEFAULT_MAX_ITEMS, DEFAULT_MAX_LENGTH } from './check-value.ts';
import type { ToolContract, ToolProperty } from './tool-contract.ts';
import { unitsLike } from './units.ts';

/** A tool as MCP and language models are told of it: JSON Schema draft 2020-12. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

type ObjectSchema = ToolContract['schema']['parameters'];

/** The declaration of a tool, its texts in one language. What fits `inputSchema` passes `checkArguments`, but for the names of things. */
export function declarationOf(contract: ToolContract, language: Language): ToolDeclaration {
  const { name, use_when, preconditions, schema } = contract;
  const conditions = preconditions.length === 0 ? [] : [`Preconditions: ${preconditions.join('; ')}.`];
  return {
    name,
    description: [use_when[language], ...conditions].join(' '),
    inputSchema: objectSchemaOf(schema.parameters, language, true),
    outputSchema: objectSchemaOf(schema.response, language, false),
  };
}

function objectSchemaOf(object: ObjectSchema, language: Language, isInput: boolean): JsonObject {
  const properties = Object.entries(object.properties).map(([key, property]): [string, JsonValue] => {
    const schema = propertySchemaOf(property, language, isInput);
    return [key, object.nullable.includes(key) ? orNull(schema) : schema];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: object.required.filter((key) => !isInput || object.properties[key]?.default === undefined),
    additionalProperties: false,
  };
}

function propertySchemaOf(property: ToolProperty, language: Language, isInput: boolean): JsonObject {
  const unit = property.unit === undefined ? '' : ` (${property.unit})`;
  const about = {
    description: `${property.description[language]}${unit}`,
    ...(property.default === undefined ? {} : { default: property.default }),
  };
  if (!isInput || property.unit === undefined || property.enum !== undefined)
    return { ...typeSchemaOf(property), ...about };
  // In another unit the limits are other numbers: they are held after the conversion.
  const other = {
    type: 'object',
    properties: { value: { type: 'number' }, unit: { enum: unitsLike(property.unit) } },
    required: ['value', 'unit'],
    additionalProperties: false,
  };
  return { anyOf: [typeSchemaOf(property), other], ...about };
}

function typeSchemaOf(property: ToolProperty): JsonObject {
  const choice = property.enum === undefined ? {} : { enum: property.enum };
  switch (property.type) {
    case 'string':
      return {
        type: 'string',
        maxLength: property.max_length ?? DEFAULT_MAX_LENGTH,
        ...(property.min_length === undefined ? {} : { minLength: property.min_length }),
        ...choice,
      };
    case 'number':
    case 'integer':
      return {
        type: property.type,
        ...(property.minimum === undefined ? {} : { minimum: property.minimum }),
        ...(property.maximum === undefined ? {} : { maximum: property.maximum }),
        ...choice,
      };
    case 'scalar':
      return { type: ['string', 'number', 'boolean'], ...choice };
    case 'array':
      return {
        type: 'array',
        maxItems: property.max_items ?? DEFAULT_MAX_ITEMS,
        ...(property.items === undefined
          ? {}
          : {
              items:
                property.items.type === 'string'
                  ? { type: 'string', maxLength: DEFAULT_MAX_LENGTH }
                  : { type: property.items.type },
            }),
      };
    case 'boolean':
    case 'object':
      return { type: property.type, ...choice };
  }
}

function orNull(schema: JsonObject): JsonObject {
  const { description, default: preset, ...rest } = schema;
  return {
    anyOf: [rest, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
  };
}
