/** The repository elsewhere that procedures are pushed to. */
export interface Remote {
  /** `ssh://…`, `USER@HOST:PATH`, `https://…` or `file:///…`, without a password in it. */
  readonly url: string;
  /** The public key of an ssh server as `ssh-ed25519 AAAA…`. */
  readonly hostKey: string | undefined;
  /** The private key of this box for it. */
  readonly keyFile: string | undefined;
  /** Of a server that speaks https. */
  readonly token: string | undefined;
}

/** Stands for the server in the file of known hosts, so that name, address and port of it do not matter. */
const HOST_ALIAS = 'hermes-edge-procedures';
const USER = 'hermes-edge';

export function schemeOf(url: string): 'ssh' | 'https' | 'file' {
  if (url.startsWith('https://')) return 'https';
  return url.startsWith('file://') ? 'file' : 'ssh';
}

/** The one line of the file of known hosts: no other key is believed. */
export function knownHosts(hostKey: string): string {
  return `${HOST_ALIAS} ${hostKey.trim()}\n`;
}

/** What git is given, beside its cleaned environment, to reach just this remote by just its own protocol. */
export function remoteEnvironment(
  { url, keyFile, token }: Remote,
  knownHostsFile: string,
): Readonly<Record<string, string>> {
  const scheme = schemeOf(url);
  const own = { GIT_ALLOW_PROTOCOL: scheme };
  switch (scheme) {
    case 'file':
      return own;
    case 'https':
      return token === undefined
        ? own
        : {
            ...own,
            // Not on a command line, which every user of the machine can read, and only for this address.
            GIT_CONFIG_COUNT: '1',
            GIT_CONFIG_KEY_0: `http.${url}.extraHeader`,
            GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`${USER}:${token}`).toString('base64')}`,
          };
    case 'ssh':
      return { ...own, GIT_SSH_VARIANT: 'ssh', GIT_SSH_COMMAND: sshCommand(keyFile, knownHostsFile) };
  }
}

/** Git takes options for ssh in this form only, and has a shell take it apart: each word is quoted for it. */
function sshCommand(keyFile: string | undefined, knownHostsFile: string): string {
  const options = {
    BatchMode: 'yes',
    CheckHostIP: 'no',
    ClearAllForwardings: 'yes',
    ConnectTimeout: '15',
    ControlPath: 'none',
    GlobalKnownHostsFile: 'none',
    HostKeyAlias: HOST_ALIAS,
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: keyFile === undefined ? 'none' : sshPath(keyFile),
    KbdInteractiveAuthentication: 'no',
    PasswordAuthentication: 'no',
    ServerAliveInterval: '10',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
    UserKnownHostsFile: sshPath(knownHostsFile),
  };
  const words = [
    'ssh',
    '-F',
    'none',
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
  ];
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

/** Ssh splits paths at spaces and expands what follows a per cent sign. */
function sshPath(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}
