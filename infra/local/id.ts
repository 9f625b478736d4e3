/** `npm run -s id -- <kind>`: prints the id of a sample object on the running stack; creates a missing one. */
import { Argument } from '@commander-js/extra-typings';
import { command, run } from '../command-line/command.ts';
import { findHome, readStackFile } from './home.ts';
import { samples } from './samples.ts';

await run(
  command('npm run -s id --')
    .description(
      'Prints the id of a sample object on the running stack. A missing object is created.\n\n' +
        'role is the id of the role Author. webhook, integration and key belong to a sample integration; ' +
        'delivery is the newest delivery of the sample webhook. replay and invite are new each time. ' +
        'token is the token in the mail of a new invitation.',
    )
    .addArgument(new Argument('<kind>', 'The kind of object.').choices(Object.keys(samples)))
    .action(async (kind) => {
      const id = await samples[kind]?.(readStackFile(findHome()));
      if (id === undefined) throw new Error(`The stack has no ${kind}.`);
      console.log(id);
    }),
);
