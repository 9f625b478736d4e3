/**
 * Sends the AWS calls of this thread to the proxy as messages: as HTTP requests they took a tenth of a delivery's CPU time
 * (lab/README.md). The SDK does not notice: its requests to the proxy's address are replaced inside `node:http`. `environment.ts` loads
 * it beside `worker.ts`, without types.
 */
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type { ReturnedCall, SentCall } from '../proxy/proxy.ts';

interface RequestOptions {
  readonly host?: string;
  readonly port?: number;
  readonly headers: SentCall['headers'];
}

/** What the SDK uses of a socket: it is connected, and never idle for long, because an answer arrives as a whole. */
const socket = { connecting: false, setTimeout() {}, setKeepAlive() {}, removeListener() {}, destroy() {} };

/** Replaces requests to this address, such as `127.0.0.1:4100`, by messages over this port. */
export const callByMessage = (address: string, port: MessagePort): void => {
  const open = new Map<number, ProxyRequest>();
  let lastId = 0;

  /** What the SDK uses of a request (`@smithy/node-http-handler`). */
  class ProxyRequest extends EventEmitter {
    readonly socket = socket;
    readonly #id = ++lastId;
    readonly #headers: SentCall['headers'];

    constructor({ headers }: RequestOptions, onResponse: (response: Readable) => void) {
      super();
      this.#headers = headers;
      this.once('response', onResponse);
    }

    end(body: string | Uint8Array = ''): void {
      open.set(this.#id, this);
      // As text: a copy of a small buffer would contain all of the memory that Node.js shares between such buffers.
      const text = typeof body === 'string' ? body : Buffer.from(body).toString();
      port.postMessage({ id: this.#id, headers: this.#headers, body: text } satisfies SentCall);
    }

    /** Ends the request, whose answer is ignored. */
    destroy(error?: Error): void {
      if (!open.delete(this.#id)) return;
      if (error !== undefined) this.emit('error', error);
      this.emit('close');
    }

    take(returned: ReturnedCall): void {
      if ('reset' in returned) {
        this.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
        return;
      }
      open.delete(this.#id);
      const { status: statusCode, headers, body } = returned;
      const response = new Readable({ read() {} });
      response.push(body);
      response.push(null);
      this.emit('response', Object.assign(response, { statusCode, headers, complete: true }));
      this.emit('close');
    }
  }

  port.on('message', (returned: ReturnedCall) => open.get(returned.id)?.take(returned));
  const { request } = http;
  Object.assign(http, {
    request: (options: RequestOptions, onResponse: (response: Readable) => void, ...more: unknown[]) =>
      `${options.host}:${options.port}` === address
        ? new ProxyRequest(options, onResponse)
        : Reflect.apply(request, http, [options, onResponse, ...more]),
  });
  syncBuiltinESMExports();
};
