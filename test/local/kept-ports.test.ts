/** A local stack keeps its ports between starts, and uses other ports if they are taken. */
import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { listenNear } from '../../infra/emulator/loopback.ts';
import { findHome } from '../../infra/local/home.ts';
import { keepPorts, wantedPorts } from '../../infra/local/ports.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';

const folder = temporaryHome();
const home = findHome(folder.folder);
afterAll(() => folder.remove());
const first = { api: 3368, receiver: 3369, mailbox: 3370, proxy: 3371 };

describe('the ports of a home', () => {
  it('begin at 3368', () => {
    expect(wantedPorts(home, undefined)).toEqual({ ports: first, orNext: true, isKept: true });
  });

  it('are the ports of the last start, even if it had to replace a port that was in use', () => {
    const used = { api: 3380, receiver: 3369, mailbox: 3370, proxy: 3371 };
    expect(keepPorts(home, wantedPorts(home, undefined), used)).toEqual([
      'Port 3368 is in use, so the API is on port 3380.',
    ]);
    expect(wantedPorts(home, undefined).ports).toEqual(used);
    expect(keepPorts(home, wantedPorts(home, undefined), used)).toEqual([]);
  });

  it('start at PORT, and a taken port is then an error', () => {
    expect(wantedPorts(home, 4000)).toEqual({
      ports: { api: 4000, receiver: 4001, mailbox: 4002, proxy: 4003 },
      orNext: false,
      isKept: true,
    });
  });

  it('are free ones with PORT=0, and are not stored', () => {
    const kept = wantedPorts(home, undefined).ports;
    const wanted = wantedPorts(home, 0);
    expect(Object.values(wanted.ports)).toEqual([0, 0, 0, 0]);
    expect(keepPorts(home, wanted, first)).toEqual([]);
    expect(wantedPorts(home, undefined).ports).toEqual(kept);
  });
});

describe('a server that finds its port taken', () => {
  it('tries every fourth port, because a stack needs four in a row', async () => {
    // Given a port with room above it
    const other = await listenNear(createServer(), 33_680);
    const near = await listenNear(createServer(), other.port);
    expect(near.port).toBeGreaterThan(other.port);
    expect((near.port - other.port) % 4).toBe(0);
    await Promise.all([other.stop(), near.stop()]);
  });
});
