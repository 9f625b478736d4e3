/** `npm run ops -- explain-stack`: names files and lines of the source in the stacks of a log record. */
import { command, sections } from '../command-line/command.ts';

export const explainStack = command('explain-stack')
  .summary('Names the source in the stacks of a log record.')
  .description(
    'Names files and lines of the source in the stacks of a record of the log. ' +
      'The bundles are built from this source, and must be those that are deployed.',
  )
  .argument('[file]', 'File with the record; - is standard input.', '-')
  .option('--function <name>', 'The function, such as webhooks/create (default: the function that the record names).')
  .addHelpText(
    'after',
    sections({
      examples: {
        'A record in a file': 'npm run -s ops -- explain-stack record.json',
        'A record on the clipboard': 'pbpaste | npm run -s ops -- explain-stack',
      },
    }),
  )
  .action(async (file, options) => {
    const { explain } = await import('./explain-stack/explain.ts');
    await explain(file, options.function);
  });
