/** A name server on loopback with configured answers, for tests of name resolution. */
import { createSocket } from 'node:dgram';

/** Expands an IPv6 address to eight groups. */
const bytesOf = (address: string): Buffer => {
  if (address.includes(':'))
    return Buffer.from(
      address
        .split(':')
        .map((group) => group.padStart(4, '0'))
        .join(''),
      'hex',
    );
  return Buffer.from(address.split('.').map(Number));
};

/** Returns a record for the name in the question, valid for a minute. */
const record = (type: number, data: Buffer): Buffer => {
  const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([fixed, data]);
};

const replyTo = (question: Buffer, type: number, answer: Exclude<NameAnswer, 'silent'>): Buffer => {
  const addresses = typeof answer === 'string' ? [] : answer;
  const code = answer === 'NXDOMAIN' ? 3 : answer === 'SERVFAIL' ? 2 : 0;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map((address) => record(type, bytesOf(address)))]);
};

const types = { A: 1, AAAA: 28 } as const;

/** The answer for a name: addresses, none, an error, or silence. */
export type NameAnswer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silent';

export interface NameServer {
  /** `address:port`, as `Resolver.setServers` accepts it. */
  readonly address: string;
  readonly questions: () => number;
  readonly close: () => Promise<void>;
}

/** Answers A and AAAA questions for any name (RFC 1035, 4). */
export const startNameServer = async (answers: Record<keyof typeof types, NameAnswer>): Promise<NameServer> => {
  const server = createSocket('udp4');
  let questions = 0;
  server.on('message', (query, from) => {
    questions++;
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const answer = type === types.A ? answers.A : answers.AAAA;
    if (answer !== 'silent') server.send(replyTo(query.subarray(0, end), type, answer), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${server.address().port}`,
    questions: () => questions,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
