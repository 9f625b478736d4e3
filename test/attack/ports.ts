/** The attack on every port of a local stack: foreign hosts and origins, and the parts without the start's secret. */
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { listeningSockets } from '../support/parts-sockets.ts';

export interface PortRow {
  readonly port: string;
  readonly requests: number;
  readonly refused: number;
  readonly findings: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

interface PortAttack {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

const foreign = (port: number): PortAttack[] => {
  const hosts = [
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1.evil.example:${port}`,
    `[::1]:${port}`,
  ];
  const origins = ['https://evil.example', 'http://127.0.0.1:1', 'null', `http://127.0.0.1.evil.example:${port}`];
  const paths = ['/', '/store', '/clear-store', '/counts', '/requests', '/ghost/api/admin/roles/'];
  return paths.flatMap((path) => [
    ...hosts.map((Host) => ({ name: `Host ${Host}`, method: 'GET', path, headers: { Host } })),
    ...origins.flatMap((Origin) => [
      { name: `Origin ${Origin}`, method: 'POST', path, headers: { Origin } },
      {
        name: `preflight of ${Origin}`,
        method: 'OPTIONS',
        path,
        headers: { Origin, 'Access-Control-Request-Method': 'POST' },
      },
    ]),
  ]);
};

/** Attacks the ports on the address that a web page can know. @param pid of the stack */
export const attackPorts = async (pid: number): Promise<PortRow[]> => {
  const sockets = listeningSockets(pid);
  const abroad = sockets.filter(({ address }) => !address.startsWith('127.'));
  const rows = await Promise.all(
    sockets
      .filter(({ address }) => address === '127.0.0.1')
      .map(async ({ port }): Promise<PortRow> => {
        const attacks = foreign(port);
        const findings: string[] = [];
        for (const attack of attacks) {
          const status = await send(port, attack);
          if (status !== 403)
            findings.push(`${attack.name}, ${attack.method} ${attack.path}: expected 403, got ${status}`);
        }
        return { port: String(port), requests: attacks.length, refused: attacks.length - findings.length, findings };
      }),
  );
  return [
    ...rows,
    ...abroad.map(({ address, port }) => ({
      port: `${address}:${port}`,
      requests: 0,
      refused: 0,
      findings: [`port ${port} listens on ${address}, which other machines may reach`],
    })),
  ];
};

const send = (port: number, { method, path, headers }: PortAttack): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      await text(response);
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
