/**
 * Leaves the table of file types, which only attachments need, out of the composer of mails (nodemailer): 40 kB that each cold start of the mailer
 * would load.
 */
import type { Plugin } from 'esbuild';

export const mailsWithoutAttachments: Plugin = {
  name: 'mails without attachments',
  setup({ onLoad }) {
    onLoad({ filter: /\/nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/ }, () => ({
      contents: 'export const detectMimeType = () => "application/octet-stream", detectExtension = () => "bin";',
    }));
  },
};
