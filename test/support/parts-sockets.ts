/** The TCP sockets that a process and its children listen on, read from Linux' `/proc`. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { processTree } from './process-tree.ts';

export interface ListeningSocket {
  /** Such as `127.0.0.1`; IPv6 in hexadecimal digits. */
  readonly address: string;
  readonly port: number;
}

/** Returns the sockets of the process and all its children. */
export const listeningSockets = (pid: number): readonly ListeningSocket[] => {
  const inodes = new Set(processTree(pid).flatMap(socketInodes));
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === listening && inodes.has(inode))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      return { address: addressOf(address), port: Number.parseInt(port, 16) };
    });
};

const listening = '0A';

const socketInodes = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });

/** The kernel prints an IPv4 address as one number in the machine's byte order. */
const addressOf = (hex: string): string => (hex.length > 8 ? hex : [...Buffer.from(hex, 'hex')].toReversed().join('.'));
