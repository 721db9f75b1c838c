import koffi from 'koffi';
import { EdgeError } from '../../runtime/edge-error.ts';

const AF_UNIX = 1;
/** SOCK_DGRAM with SOCK_CLOEXEC (socket(2)). */
const SOCKET_TYPE = 2 | 0o2000000;
const MSG_NOSIGNAL = 0x4000;
/** sockaddr_un: two bytes of family, then up to 108 of path (unix(7)). */
const PATH_BYTES = 108;

/**
 * Sends datagrams to the socket systemd names in NOTIFY_SOCKET (sd_notify(3)). Node has no Unix datagrams, so libc is
 * called directly; a `systemd-notify` child would need NotifyAccess=all.
 */
export interface NotifySocket {
  /** One or more `KEY=value` lines. Throws EdgeError NOTIFY_FAILED. */
  send(...lines: readonly string[]): void;
}

export function openNotifySocket(path: string): NotifySocket {
  const address = addressOf(path);
  const libc = koffi.load('libc.so.6');
  const socket = libc.func('int socket(int domain, int type, int protocol)');
  const sendto = libc.func(
    'intptr_t sendto(int fd, const uint8_t *data, size_t length, int flags, const uint8_t *address, uint32_t size)',
  );
  const fd: unknown = socket(AF_UNIX, SOCKET_TYPE, 0);
  if (typeof fd !== 'number' || fd < 0)
    throw new EdgeError('NOTIFY_FAILED', 'libc gave no Unix datagram socket');
  return {
    send(...lines) {
      const message = Buffer.from(lines.join('\n'));
      const sent: unknown = sendto(fd, message, message.length, MSG_NOSIGNAL, address, address.length);
      if (Number(sent) !== message.length)
        throw new EdgeError('NOTIFY_FAILED', `systemd did not take the message on ${path}`);
    },
  };
}

/** `@name` is the abstract namespace: a zero byte in place of the `@`. */
function addressOf(path: string): Buffer {
  const name = Buffer.from(path);
  if (name.length === 0 || name.length >= PATH_BYTES || (name[0] !== 0x2f && name[0] !== 0x40)) {
    throw new EdgeError('NOTIFY_FAILED', `NOTIFY_SOCKET is neither a path nor an abstract name: ${path}`);
  }
  const address = Buffer.alloc(2 + name.length);
  address.writeUInt16LE(AF_UNIX, 0);
  name.copy(address, 2);
  if (name[0] === 0x40) address[2] = 0;
  return address;
}
