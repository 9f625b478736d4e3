/** A receiver for tests of the delivery engine, whose behaviour the test can change, with webhooks at its paths. */
import type { DeliveryBody, DeliveryTools } from './deliveries.ts';
import { receiveWebhooks, type WebhookReceiver } from './parts-receiver.ts';

export interface Behaviour {
  /** The status of responses; `hang` for no response until `release`. */
  status: number | 'hang';
  headers: Record<string, string>;
}

export interface ReceiverWith extends Pick<WebhookReceiver, 'origin' | 'close'> {
  /** The behaviour for all paths without their own; the test can set it at any time. */
  readonly behaviour: Behaviour;
  behave(path: string, behaviour: Partial<Behaviour>): void;
  /** Returns the paths of the requests, oldest first. Default: for all paths. */
  arrived(path?: string): readonly string[];
  /** Returns the message of a new event for the webhook at this path, which is created if missing. */
  message(path?: string): Promise<DeliveryBody>;
  messages(count: number, path?: string): Promise<DeliveryBody[]>;
  hook(path?: string): Promise<string>;
  release(): void;
}

/** Starts receivers for one test file. */
export const receiversWith =
  ({ webhook, messagesFor }: DeliveryTools) =>
  async (status: Behaviour['status'] = 200): Promise<ReceiverWith> => {
    const behaviour: Behaviour = { status, headers: {} };
    const own = new Map<string, Behaviour>();
    const hanging: (() => void)[] = [];
    const receiver = await receiveWebhooks((response, { path }) => {
      const answered = own.get(path) ?? behaviour;
      if (answered.status === 'hang') {
        hanging.push(() => response.end());
        return;
      }
      const { status: code, headers } = answered;
      response.writeHead(code, headers).end();
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
      if (found === undefined) throw new Error('The webhook has no message.');
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
