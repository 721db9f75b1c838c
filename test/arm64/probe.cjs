// Runs on ARM64: probe.cjs APP PART [ARGUMENTS] uses one package of the program installed in APP and prints, as JSON,
// what came out and which files with machine code were loaded for it.
const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const [app, part, ...args] = process.argv.slice(2);
const fromApp = createRequire(join(app, 'package.json'));

const parts = {
  node: async () => ({
    arch: process.arch,
    childArch: execFileSync(process.execPath, ['-p', 'process.arch'], { encoding: 'utf8' }).trim(),
  }),

  sqlite3: async () => {
    const { Database } = fromApp('sqlite3');
    const file = join(tmpdir(), `hermes-arm64-${process.pid}.db`);
    const call = (database, method, ...given) =>
      new Promise((resolve, reject) => {
        database[method](...given, (error, row) => (error ? reject(error) : resolve(row)));
      });
    try {
      const writer = new Database(file);
      await call(writer, 'exec', 'PRAGMA journal_mode=WAL; CREATE VIRTUAL TABLE said USING fts5(text)');
      await call(writer, 'run', 'INSERT INTO said VALUES (?)', 'read the temperature');
      await call(writer, 'close');
      const reader = new Database(file);
      const row = await call(reader, 'get', 'SELECT text FROM said WHERE said MATCH ?', '"temperature"');
      await call(reader, 'close');
      return row.text;
    } finally {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    }
  },

  koffi: async () => {
    const koffi = fromApp('koffi');
    const libc = koffi.load('libc.so.6');
    const to = new Int16Array(3);
    libc.func('void *memcpy(_Out_ int16_t *to, const int16_t *from, size_t bytes)')(
      to,
      new Int16Array([-32_768, 0, 32_767]),
      6,
    );
    return {
      length: libc.func('size_t strlen(const char *text)')('hermes'),
      power: koffi.load('libm.so.6').func('float powf(float base, float exponent)')(2, 10),
      copied: [...to],
    };
  },

  serialport: () =>
    new Promise((resolve, reject) => {
      const { SerialPort } = fromApp('serialport');
      let answer = '';
      const port = new SerialPort({ path: args[0], baudRate: 9600 }, () => port.write('ping'));
      port.on('error', reject);
      port.on('data', (bytes) => {
        answer += bytes;
        if (answer.length === 4) port.close(() => resolve(answer));
      });
    }),
};

parts[part]().then((result) => {
  const machineCode = process.report.getReport().sharedObjects.filter((file) => file.endsWith('.node'));
  process.stdout.write(JSON.stringify({ result, machineCode }));
});
