/** An environment's SES client, instead of `@aws-sdk/client-ses` and the composer: mails are stored in mailboxes. */
import type { Modules } from './bundle.ts';
import type { Environment } from './environment.ts';
import { Client, type ClientOptions } from './sdk.ts';

export interface Mail {
  /** Epoch ms. */
  readonly at: number;
  readonly to: string;
  readonly subject: string;
}

interface SendInput {
  readonly Destinations: readonly string[];
  readonly RawMessage: { readonly Data: Buffer };
}

class SendRawEmailCommand {
  readonly input: SendInput;

  constructor(input: SendInput) {
    this.input = input;
  }
}

/** Writes the subject of a mail in place of its whole source. */
class MimeNode {
  private subject = '';

  setHeader({ Subject }: { readonly Subject: string }): void {
    this.subject = Subject;
  }

  createChild(): { readonly setContent: () => void } {
    return { setContent: () => {} };
  }

  build(): Promise<Buffer> {
    return Promise.resolve(Buffer.from(this.subject));
  }
}

/** Returns the modules of the SES client and of the composer of mails for an environment. */
export const sesModules = (environment: Environment, mails: Mail[]): Modules => {
  class SESClient {
    private readonly client: Client;

    constructor(options: ClientOptions = {}) {
      this.client = new Client(environment, 'ses', options);
    }

    send({ input: { Destinations, RawMessage } }: SendRawEmailCommand): Promise<object> {
      return this.client.send({
        isWrite: true,
        size: 1,
        effect: () => {
          const at = environment.world.now;
          for (const to of Destinations) mails.push({ at, to, subject: RawMessage.Data.toString() });
          return { MessageId: `mail-${mails.length}` };
        },
      });
    }
  }
  return {
    '@aws-sdk/client-ses': { SESClient, SendRawEmailCommand },
    'nodemailer/lib/mime-node': { default: MimeNode },
  };
};
