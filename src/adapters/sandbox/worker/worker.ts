/**
 * The process in which one tool's handler runs. In: what to load, calls, answers of capabilities. Out: uses of
 * capabilities, ends of calls. Started by the pool with nothing loaded; it stays with the first tool that it is given.
 */
import net from 'node:net';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { JsonValue } from '../../../domain/json.ts';
import { MessageChannel } from '../message-channel.ts';
import type { ToWorker } from '../messages.ts';
import { isJsonObject } from '../plain-json.ts';
import { HandlerHost } from './handler-host.ts';
import { lockDown } from './lock-down.ts';

const CHANNEL_FD = 3;
/** What the daemon sends is its own; this only keeps a pipe that broke from filling the memory. */
const MAX_PAYLOAD_BYTES = 64_000_000;

v8.setFlagsFromString('--expose-gc');
const collect: unknown = vm.runInNewContext('gc');
v8.setFlagsFromString('--no-expose-gc');

const pipe = new net.Socket({ fd: CHANNEL_FD, readable: true, writable: true });
const channel = new MessageChannel(pipe, MAX_PAYLOAD_BYTES, {
  onMessage: (message, payload) => {
    if (isToWorker(message)) host.take(message, payload);
  },
  // Without the daemon there is nothing to do.
  onBroken: () => process.exit(0),
});
const host = new HandlerHost({
  send: (message, payload) => channel.send(message, payload),
  load: (handler) => import(pathToFileURL(handler).href),
  collectGarbage: () => {
    if (typeof collect === 'function') collect();
  },
});

process.on('uncaughtException', (error) => host.crashed(error));
process.on('unhandledRejection', (error) => host.crashed(error));
lockDown();
channel.send({ type: 'ready' });

/** The daemon is trusted: no more is asked than that it is a message. */
function isToWorker(message: JsonValue): message is ToWorker {
  return isJsonObject(message) && typeof message['type'] === 'string';
}
