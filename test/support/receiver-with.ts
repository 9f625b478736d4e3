/** A receiver for tests of the delivery engine that behaves as the test says at the moment, with webhooks at its paths. */
import type { DeliveryBody, DeliveryTools } from './deliveries.ts';
import { receiveWebhooks, type WebhookReceiver } from './parts-receiver.ts';

export interface Behaviour {
  /** Status of the answers; `hang` for none until `release`. */
  status: number | 'hang';
  headers: Record<string, string>;
  /** Before each answer, in ms. */
  afterMs: number;
}

export interface ReceiverWith extends Pick<WebhookReceiver, 'origin' | 'close'> {
  /** Set by the test at any time, for all paths that have no behaviour of their own. */
  readonly behaviour: Behaviour;
  /** Gives a path its own behaviour. */
  behave(path: string, behaviour: Partial<Behaviour>): void;
  /** Paths of the requests that came, oldest first; all where no path is given. */
  arrived(path?: string): readonly string[];
  /** A message of a new event for the webhook at this path, which is created at first. */
  message(path?: string): Promise<DeliveryBody>;
  messages(count: number, path?: string): Promise<DeliveryBody[]>;
  /** Id of the webhook at a path. */
  hook(path?: string): Promise<string>;
  /** Answers all requests that hang. */
  release(): void;
}

/** Starts receivers for one test file. */
export const receiversWith =
  ({ webhook, messagesFor }: DeliveryTools) =>
  async (status: Behaviour['status'] = 200): Promise<ReceiverWith> => {
    const behaviour: Behaviour = { status, headers: {}, afterMs: 0 };
    const own = new Map<string, Behaviour>();
    const hanging: (() => void)[] = [];
    const receiver = await receiveWebhooks((response, { path }) => {
      const answered = own.get(path) ?? behaviour;
      if (answered.status === 'hang') {
        hanging.push(() => response.end());
        return;
      }
      const { status: code, headers, afterMs } = answered;
      const answer = () => response.writeHead(code, headers).end();
      if (afterMs > 0) setTimeout(answer, afterMs);
      else answer();
    });
    const hooks = new Map<string, string>();
    const hook = async (path = '/hook') => {
      const id = hooks.get(path) ?? (await webhook(`${receiver.origin}${path}`)).id;
      hooks.set(path, id);
      return id;
    };
    const message = async (path = '/hook') => {
      const id = await hook(path);
      const found = (await messagesFor()).find(({ webhook_id }) => webhook_id === id);
      if (found === undefined) throw new Error('There is no message for this webhook.');
      return found;
    };
    return {
      origin: receiver.origin,
      close: () => receiver.close(),
      behaviour,
      behave: (path, changes) => {
        own.set(path, { ...(own.get(path) ?? behaviour), ...changes });
      },
      arrived: (path) => {
        const paths = receiver.deliveries.map((delivery) => delivery.path);
        return path === undefined ? paths : paths.filter((one) => one === path);
      },
      message,
      messages: async (count, path) => {
        const found = [];
        for (let number = 0; number < count; number++) found.push(await message(path));
        return found;
      },
      hook,
      release: () => {
        for (const end of hanging.splice(0)) end();
      },
    };
  };
