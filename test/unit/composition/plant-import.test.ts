import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPlant } from '../../../src/composition/plant-check.ts';
import { importPlant, type PlantImportOptions } from '../../../src/composition/plant-import.ts';
import { loadPlant } from '../../../src/composition/site.ts';

const fixture = (name: string) => join(import.meta.dirname, '../../fixtures', name);

describe('a tag list', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tags-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const options = (change: Partial<PlantImportOptions> = {}): PlantImportOptions => ({
    machine: { pattern: /^([^.]+)\./u },
    out: join(directory, 'plant.yaml'),
    force: false,
    head: {
      connection: 'line-1',
      device: 'plc',
      host: '10.0.0.7',
      port: undefined,
      unitId: 3,
      byteOrder: 'CDAB',
    },
    ...change,
  });

  function listOf(text: string): string {
    const file = join(directory, 'tags.csv');
    writeFileSync(file, text);
    return file;
  }

  it.each<[string, string, number, readonly [number, RegExp][]]>([
    [
      'of TIA Portal, in German and Latin-1',
      'tags-tia-de.csv',
      8,
      [
        [11, /already part of row 10, Ofen1\.Status/u],
        [12, /S7 STRING/u],
        [15, /middle of a register/u],
        [16, /array/u],
        [17, /data block/u],
      ],
    ],
    [
      'with Modbus numbers, in English and UTF-8',
      'tags-modbus-en.csv',
      13,
      [
        [15, /already part of row 5, Pump3\.Energy/u],
        [16, /not understood/u],
      ],
    ],
    ['of an HMI, in Chinese and GBK', 'tags-hmi-zh.csv', 7, [[9, /模拟量/u]]],
  ])('%s becomes a plant that passes the check and loads', (_what, name, points, refused) => {
    const { list } = importPlant(fixture(name), options());
    expect(list.refused.map(({ row }) => row)).toEqual(refused.map(([row]) => row));
    for (const [index, [, reason]] of refused.entries()) expect(list.refused[index]?.reason).toMatch(reason);
    const file = join(directory, 'plant.yaml');
    expect(checkPlant([file]).faults).toEqual([]);
    expect(loadPlant([file]).points()).toHaveLength(points);
  });

  it('keeps what it says of a point', () => {
    importPlant(fixture('tags-modbus-en.csv'), options());
    const plant = loadPlant([join(directory, 'plant.yaml')]);
    expect(plant.point({ machine: 'pump3', point: 'setpoint' })).toMatchObject({
      table: 'holding',
      address: 3,
      access: 'read_write',
      writeMin: 0,
      writeMax: 250,
      unit: { en: 'l/min' },
    });
    expect(plant.point({ machine: 'pump3', point: 'serial' })).toMatchObject({ address: 19, count: 10 });
    expect(plant.point({ machine: 'tank1', point: 'temperature' })?.encoding.scale).toBe(0.1);
  });

  it.each<[string, string, readonly string[]]>([
    ['Temperatur', 'Werkzeug', ['Temperatur', 'Werkzeug']],
    ['DB1_W12', 'Tool temperature', ['Tool temperature']],
    ['Speed', 'rpm', ['Speed']],
    ['MotorCurrent', 'amps x0.1', ['Motor Current']],
    ['Level', 'B', ['Level']],
    ['AI_001', '%', ['AI 001']],
    ['Druck', 'druck', ['Druck']],
    ['Status', 'Statuswort', ['Statuswort']],
    ['Temp', 'Status', ['Temp']],
  ])('is spoken of by its name, then its comment: %s, %s', (name, comment, names) => {
    const file = listOf(`Name;Address;Type;Comment\n${name};40001;INT;${comment}\n`);
    importPlant(file, options({ machine: { fallback: 'press' } }));
    const [point] = loadPlant([join(directory, 'plant.yaml')]).points();
    expect(point?.names.en).toEqual(names);
  });

  it('has no further name that means two points, and no remark twice', () => {
    const file = listOf(
      'Name;Address;Type;Comment\nTemp;40001;INT;Tool\nDruck;40002;INT;Tool\nTemp;40003;INT;\n',
    );
    const { list } = importPlant(file, options({ machine: { fallback: 'press' } }));
    expect(list.points.map(({ names }) => names.en)).toEqual([['Temp'], ['Druck'], ['Temp 2']]);
    expect(list.points[2]?.remarks).toEqual(['needs a Chinese name', '"Temp" is the name of another point']);
  });

  it('gives one quantity one key on all machines, by what it is called', () => {
    importPlant(fixture('tags-hmi-zh.csv'), options({ machine: {} }));
    const plant = loadPlant([join(directory, 'plant.yaml')]);
    expect(plant.machines.get('er-hao-fan-ying-fu')?.points.get('ai_001')?.names.zh).toEqual(['反应釜温度']);
  });

  it('shows what was guessed, from which header and which values', () => {
    const { list, encoding } = importPlant(fixture('tags-hmi-zh.csv'), options());
    expect(encoding).toBe('gbk');
    expect(list.columns.find(({ role }) => role === 'scale')).toEqual({
      role: 'scale',
      header: '系数',
      index: 6,
      isGuessed: true,
      samples: ['0.1'],
    });
  });

  it('with headers of its own is understood when they are named, and not before', () => {
    const file = listOf('Was,Wo,Wie\nOfen.Temp,40001,INT\n');
    expect(() => importPlant(file, options())).toThrow(/--column/u);
    const { list } = importPlant(file, options({ columns: { name: 'Was', address: 'Wo', type: 'Wie' } }));
    expect(list.points).toHaveLength(1);
  });

  it.each<[string, string, Record<string, string>]>([
    [
      'Maschine;Name;Register;Adresse;Datentyp\nOfen;Temp;Holding Register;12;INT',
      'holding 12',
      { register: 'Register', address: 'Adresse', type: 'Datentyp' },
    ],
    ['Name;Register;Address;Type\nOfen.Temp;7;12;INT', 'holding 12', { address: 'Address' }],
    ['Name;Register;Type\nOfen.Temp;12;INT', 'holding 12', { address: 'Register' }],
    [
      'Name;Type;Address;Data type\nOfen.Temp;Input Register;12;INT',
      'input 12',
      { register: 'Type', type: 'Data type' },
    ],
    [
      '变量名;寄存器;地址;数据类型\nOfen.Temp;保持寄存器;12;整数',
      'holding 12',
      { register: '寄存器', address: '地址' },
    ],
  ])('is read by what the columns hold: %j', (text, place, headers) => {
    const { list } = importPlant(listOf(text), options());
    expect(list.refused).toEqual([]);
    expect(list.points.map(({ listed }) => `${listed.register} ${listed.wire}`)).toEqual([place]);
    for (const [role, header] of Object.entries(headers))
      expect(list.columns.find((column) => column.role === role)?.header).toBe(header);
  });

  it('may number its coils from 1 beside registers from 40001', () => {
    const file = listOf(
      'Name;Register;Address;Type\nM.A;Coil;1;BOOL\nM.B;Coil;2;BOOL\nM.C;Holding Register;40007;INT\n',
    );
    const { list } = importPlant(file, options());
    expect(list.points.map(({ listed }) => `${listed.register} ${listed.wire}`)).toEqual([
      'coil 0',
      'coil 1',
      'holding 6',
    ]);
    expect(list.assumptions).toEqual([]);
  });

  it('keeps to numbers like 40001 where those without one are said to be coils', () => {
    const file = listOf('Name;Address;Type\nM.A;1;BOOL\nM.B;40001;INT\nM.C;40002;INT\n');
    const { list } = importPlant(file, options({ table: 'coil' }));
    expect(list.points.map(({ listed }) => `${listed.register} ${listed.wire}`)).toEqual([
      'coil 0',
      'holding 0',
      'holding 1',
    ]);
  });

  it('without a column for the address says what it took the others for', () => {
    expect(() => importPlant(listOf('Name;Wo;Typ\nM.A;1;INT\n'), options())).toThrow(
      /1 rows, and no column for the address \(taken so far: name from "Name", type from "Typ"\); .*--column/u,
    );
  });

  it.each<[string, string, string, RegExp]>([
    ['Address', 'HR12;INT', 'holding 12', /^HRn is holding register n,.*counted from 0.*--base 1/u],
    ['Address', '0x10;INT', 'holding 16', /^hexadecimal numbers count from 0/u],
    ['Logical Address', '%M110.0;BOOL', 'holding 55.8', /%M110\.0 is bit 8/u],
  ])('says what it took for granted: %s %s', (header, cells, place, assumption) => {
    const { list } = importPlant(listOf(`Name;${header};Type\nM.A;${cells}\n`), options());
    const [point] = list.points;
    const bit = point?.listed.settings.bit;
    expect(`${point?.listed.register} ${point?.listed.wire}${bit === undefined ? '' : `.${bit}`}`).toBe(
      place,
    );
    expect(list.assumptions).toContainEqual(expect.stringMatching(assumption));
  });

  it('of which no row can be taken over shows what was guessed all the same, and writes nothing', () => {
    const { list, text } = importPlant(
      listOf('Name;Address;Type\nOfen.Temp;x;INT\nOfen.B;y;INT\n'),
      options(),
    );
    expect(text).toBeUndefined();
    expect(list).toMatchObject({ rows: 2, refused: [{ row: 2 }, { row: 3 }] });
    expect(list.columns.map(({ role }) => role)).toEqual(['name', 'address', 'type']);
    expect(existsSync(join(directory, 'plant.yaml'))).toBe(false);
  });

  it('leaves a file alone that is there, unless told to replace it', () => {
    const out = join(directory, 'plant.yaml');
    writeFileSync(out, 'mine');
    expect(() => importPlant(fixture('tags-modbus-en.csv'), options())).toThrow(/is there already/u);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    importPlant(fixture('tags-modbus-en.csv'), options({ force: true }));
    expect(readFileSync(out, 'utf8')).toContain('machines:');
  });

  it('whose texts look like YAML stays text', () => {
    const nasty = [
      'yes',
      'a: b',
      '# no',
      '{x}',
      '- dash',
      '1e3',
      '"q"',
      "it's",
      '*star',
      '&amp',
      'null',
      '空 格',
    ];
    const rows = nasty.map(
      (text, index) => `M.tag${index};${40001 + index};INT;"${text.replaceAll('"', '""')}"`,
    );
    const file = listOf(['Name;Address;Type;Comment', ...rows].join('\n'));
    const { list } = importPlant(file, options());
    expect(list.refused.length + list.points.length).toBe(nasty.length);
    expect(checkPlant([join(directory, 'plant.yaml')]).faults).toEqual([]);
  });

  it('of 800 rows loses none', () => {
    const kinds = ['REAL', 'INT', 'DINT', 'BOOL'] as const;
    const rows = Array.from({ length: 800 }, (_, n) => {
      const kind = kinds[n % 4] ?? 'INT';
      const address = 40001 + n * 2;
      return `Cell${Math.floor(n / 40) + 1}.Value${n % 40};${address}${kind === 'BOOL' ? '.5' : ''};${kind};Value number ${n % 40};;0,1`;
    });
    const file = listOf(['Symbol;Adresse;Datentyp;Kommentar;Einheit;Faktor', ...rows].join('\r\n'));
    const { list } = importPlant(file, options());
    expect(list.refused).toEqual([]);
    expect(loadPlant([join(directory, 'plant.yaml')]).points()).toHaveLength(800);
    expect(checkPlant([join(directory, 'plant.yaml')]).summary?.points).toBe(800);
  });
});
