/** The environment variables that a deployed function has. Import it before everything else: handlers read them when they are imported. */
import { vi } from 'vitest';
import { settingsText } from '../support/settings-text.ts';

vi.stubEnv('TABLE_NAME', 'masthead-test');
vi.stubEnv('BASE_URL', 'http://localhost/ghost/api');
vi.stubEnv('QUEUE_URL_EVENTS', 'http://localhost/000000000000/events');
vi.stubEnv('QUEUE_URL_MAIL', 'http://localhost/000000000000/mail');
vi.stubEnv('MAIL_CONFIGURATION_SET', 'masthead-test');
vi.stubEnv('LOG_LEVEL', 'SILENT');
vi.stubEnv('SETTINGS', settingsText());
