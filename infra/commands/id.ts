/** `npm run -s id -- <kind>`: prints the id of a sample object on the running stack, which is created if it is missing. */
import { runCommand } from './command.ts';
import { findHome, readStackFile } from './home.ts';
import { samples } from './samples.ts';

const kinds = Object.keys(samples).join(', ');

await runCommand(
  {
    usage: 'npm run -s id -- <kind>',
    summary: 'Prints the id of a sample object on the running stack. A missing object is created.',
    arguments: { '<kind>': kinds },
    notes: `role is the id of the role Author. webhook, integration and key belong to a sample integration; delivery is the newest delivery of
the sample webhook. replay and invite are new each time. token is the token in the mail of a new invitation.`,
  },
  async ({ positionals: [kind = ''] }) => {
    const find = Object.hasOwn(samples, kind) ? samples[kind] : undefined;
    if (find === undefined) throw new Error(`<kind> is '${kind}'; it must be one of ${kinds}.`);
    const id = await find(readStackFile(findHome()));
    if (id === undefined) throw new Error(`The stack has no ${kind}.`);
    console.log(id);
  },
);
