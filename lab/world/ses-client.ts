/** The SES client of an environment, which replaces `@aws-sdk/client-ses`: mails are stored in mailboxes. */
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
  readonly Destination: { readonly ToAddresses: readonly string[] };
  readonly Message: { readonly Subject: { readonly Data: string } };
}

class SendEmailCommand {
  readonly input: SendInput;

  constructor(input: SendInput) {
    this.input = input;
  }
}

/** Returns the module of the SES client for an environment. */
export const sesModules = (environment: Environment, mails: Mail[]): Modules => {
  class SESClient {
    private readonly client: Client;

    constructor(options: ClientOptions = {}) {
      this.client = new Client(environment, 'ses', options);
    }

    send({ input: { Destination, Message } }: SendEmailCommand): Promise<object> {
      return this.client.send({
        isWrite: true,
        size: 1,
        effect: () => {
          const at = environment.world.now;
          for (const to of Destination.ToAddresses) mails.push({ at, to, subject: Message.Subject.Data });
          return { MessageId: `mail-${mails.length}` };
        },
      });
    }
  }
  return { '@aws-sdk/client-ses': { SESClient, SendEmailCommand } };
};
