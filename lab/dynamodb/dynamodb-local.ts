/** DynamoDB Local, AWS's own engine in memory, installed with Maven. Its licence lets everybody develop with it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type StartedServer, startServer } from '../started-server.ts';

const folder = join(import.meta.dirname, '../../node_modules/.cache/masthead/dynamodb-local');

/** Installs and starts it; returns undefined, with a printed reason, without Java 17 and Maven. */
export const startDynamoDbLocal = async (logFile: string): Promise<StartedServer | undefined> => {
  const { status, stdout, error } = spawnSync(
    'mvn',
    ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  if (status !== 0) {
    const reason = error === undefined ? stdout.trim().split('\n')[0] : 'there is no Maven (`mvn`)';
    console.log(`DynamoDB Local cannot be installed: ${reason}`);
    return undefined;
  }
  return startServer(
    'DynamoDB Local',
    (port) => [
      'java',
      `-Djava.library.path=${folder}`,
      '-cp',
      join(folder, '*'),
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      '-inMemory',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    '/',
    logFile,
  );
};
