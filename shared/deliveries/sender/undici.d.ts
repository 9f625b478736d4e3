/**
 * Types of the two files of undici that the sender imports; all of undici costs 730 KB and 40 ms at each cold start.
 * The version is pinned in package.json; the tests of the sender walk over both.
 */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  /** undici's own types lack the socket that the connector returns before it is connected. */
  type Connector = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
  export default function build(options: buildConnector.BuildOptions): Connector;
}
