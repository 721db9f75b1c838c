import { type Remote, schemeOf } from './remote-access.ts';

export interface RemoteFault {
  readonly message: string;
  readonly hint: string | undefined;
}

const MAX_MESSAGE_CHARACTERS = 300;

/** Git ends with 128 for all of these: what ssh or the server wrote tells them apart. The first that fits counts. */
const FAULTS: readonly {
  readonly said: RegExp;
  readonly message: string;
  readonly hint: (remote: Remote, knownHostsFile: string) => string;
}[] = [
  {
    said: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED|No .* host key is known/u,
    message: 'the server shows another host key than the pinned one',
    hint: (_remote, knownHostsFile) =>
      `ask whoever runs the server for its public key and compare it with memory.procedures.host_key (written to ${knownHostsFile}); until then nothing is sent there`,
  },
  {
    said: /UNPROTECTED PRIVATE KEY FILE|bad permissions/u,
    message: 'ssh does not take the private key: others may read its file',
    hint: ({ keyFile }) => `chmod 600 ${keyFile ?? ''}, owned by the user of the service`,
  },
  {
    said: /Load key .*(?:error in libcrypto|invalid format|No such file|Permission denied)|Identity file .* not accessible/u,
    message: 'the private key cannot be read',
    hint: ({ keyFile }) =>
      `memory.procedures.key_file: ${keyFile ?? 'is not set'}: check that it is a private key and that the user of the service may read it`,
  },
  {
    said: /Permission denied \(|Permission denied, please try again/u,
    message: 'the server does not take the key of this box',
    hint: ({ keyFile }) =>
      `give the server the public half of ${keyFile ?? 'a key'} (ssh-keygen -y -f ${keyFile ?? 'FILE'}), with leave to write; the key is of the user of the service, not yours`,
  },
  {
    said: /Authentication failed|could not read Username|terminal prompts disabled|HTTP Basic: Access denied|error: 40[13]/u,
    message: 'the server does not take the token',
    hint: () => 'check memory.procedures.token, and that it may write to the repository',
  },
  {
    said: /server certificate verification failed|SSL certificate problem/u,
    message: 'the certificate of the server is not trusted',
    hint: () =>
      'put the authority that signed it into /usr/local/share/ca-certificates, then: sudo update-ca-certificates',
  },
  {
    said: /does not appear to be a git repository|[Rr]epository .*not found|not found: did you run/u,
    message: 'there is no repository at that address',
    hint: ({ url }) => `make an empty repository there, or correct memory.procedures.remote (${url})`,
  },
  {
    said: /detected dubious ownership/u,
    message: 'the repository there belongs to another user',
    hint: () => 'give it to the user of the service: sudo chown -R',
  },
  {
    said: /cannot run ssh|ssh: not found|ssh: No such file/u,
    message: 'ssh is not installed',
    hint: () => 'sudo apt-get install openssh-client',
  },
  {
    said: /Could not resolve host|Temporary failure in name resolution|Connection refused|timed out|No route to host|Network is unreachable|Connection reset|Connection closed|Failed to connect|no end within/u,
    message: 'the server cannot be reached',
    hint: () => 'nothing is lost: it is tried again by itself',
  },
  {
    said: /remote rejected|pre-receive hook declined|protected branch/u,
    message: 'the server refuses the branch',
    hint: () => 'let this box write to the branch memory.procedures.branch',
  },
];

/** What went wrong with a remote, and what a person does about it. */
export function remoteFault(complaint: string, remote: Remote, knownHostsFile: string): RemoteFault {
  const known = FAULTS.find(({ said }) => said.test(complaint));
  const line = complaint.replace(/\s+/gu, ' ').trim().slice(0, MAX_MESSAGE_CHARACTERS);
  if (known === undefined) return { message: `${schemeOf(remote.url)}: ${line}`, hint: undefined };
  return { message: known.message, hint: known.hint(remote, knownHostsFile) };
}
