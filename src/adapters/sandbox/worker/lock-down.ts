import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';
import traceEvents from 'node:trace_events';
import wasi from 'node:wasi';
import workerThreads from 'node:worker_threads';

/**
 * Takes from this process what a handler has no business with and Node's permission model leaves: the network, signals
 * to others, WASI's own file access. It takes processes, threads and native modules too, for a worker that is run from
 * the sources and has no permission model.
 */
export function lockDown(): void {
  forbid(net, ['connect', 'createConnection', 'createServer', '_createServerHandle', 'Server']);
  forbid(net.Socket.prototype, ['connect']);
  forbid(net.Server.prototype, ['listen']);
  forbid(dgram, ['createSocket', 'Socket', '_createSocketHandle']);
  forbid(dgram.Socket.prototype, ['bind', 'connect', 'send']);
  forbid(dns, functionsOf(dns));
  forbid(dns.promises, functionsOf(dns.promises));
  forbid(childProcess, functionsOf(childProcess));
  forbid(workerThreads, ['Worker']);
  forbid(wasi, ['WASI']);
  // It writes its files natively, past the permission model.
  forbid(traceEvents, ['createTracing']);
  forbid(process, [
    'kill',
    '_kill',
    'abort',
    'dlopen',
    'binding',
    '_linkedBinding',
    '_debugProcess',
    '_startProfilerIdleNotifier',
  ]);
  forbid(process, ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups', 'chdir']);
  syncBuiltinESMExports();
  for (const root of INTRINSICS) Object.preventExtensions(root);
}

/** A merge that follows `__proto__` or `constructor.prototype` ends here instead of in every object of the process. */
const INTRINSICS: readonly object[] = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  Symbol,
  Error,
  Promise,
  RegExp,
  Date,
  Map,
  Set,
  JSON,
  Math,
  Reflect,
]
  .flatMap((intrinsic: object) => [intrinsic, Reflect.get(intrinsic, 'prototype')])
  .filter((each: unknown): each is object => typeof each === 'object' || typeof each === 'function');

function functionsOf(module: object): string[] {
  return Object.keys(module).filter((name) => typeof Reflect.get(module, name) === 'function');
}

function forbid(owner: object, names: readonly string[]): void {
  for (const name of names) {
    if (!(name in owner)) continue;
    // A function, not an arrow: some of what it replaces is called with `new`.
    const refuse = function refuse(): never {
      throw Object.assign(new Error(`a tool may not use ${name}`), { code: 'ERR_ACCESS_DENIED' });
    };
    Object.defineProperty(owner, name, {
      value: refuse,
      writable: false,
      configurable: false,
      enumerable: true,
    });
  }
}
