/** Every mail is sent, even if the connection of the previous mail was closed while Lambda froze the function. */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { settingsText } from '../support/settings-text.ts';

process.env.AWS_ACCESS_KEY_ID = 'key';
process.env.AWS_SECRET_ACCESS_KEY = 'secret';
process.env.AWS_REGION = 'eu-central-1';
process.env.MAIL_CONFIGURATION_SET = 'masthead-unit';
process.env.SETTINGS = settingsText({ stage: 'unit' });

const used = new Set<Socket>();
const ses = createServer((request, response) => {
  // A second request on the same connection finds it closed.
  if (used.has(request.socket)) {
    request.socket.resetAndDestroy();
    return;
  }
  used.add(request.socket);
  request.resume().on('end', () => {
    response.setHeader('content-type', 'text/xml');
    response.end(
      '<SendRawEmailResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><SendRawEmailResult>' +
        '<MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>',
    );
  });
});
beforeAll(async () => {
  process.env.AWS_ENDPOINT_URL_SES = (await listen(ses)).origin;
});
afterAll(() => {
  ses.close();
});

it('each mail has its own connection', async () => {
  const { sendMail } = await import('../../shared/aws/mail.ts');
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  expect(await sendMail(mail)).toMatchObject({ kind: 'accepted' });
  expect(await sendMail(mail)).toMatchObject({ kind: 'accepted' });
});
