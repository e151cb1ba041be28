// A minimal desktop for browser notifications: a separate message bus with a notification service
// (freedesktop.org's Desktop Notifications). Clicking a notification sends the browser what a desktop would send.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface MessageBus {
  requestName(name: string, flags: number, done: (error: Error | null) => void): void;
  exportInterface(service: object, path: string, description: object): void;
  invoke(message: object, done: (error: Error | null) => void): void;
  connection: { end(): void };
}

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const INTERFACE = {
  name: NAME,
  methods: {
    GetCapabilities: ['', 'as'],
    GetServerInformation: ['', 'ssss'],
    Notify: ['susssasa{sv}i', 'u'],
    CloseNotification: ['u', ''],
  },
  signals: { ActionInvoked: ['us'], NotificationClosed: ['uu'] },
};
const CLOSED_BY_THE_BROWSER = 3;

export interface Desktop {
  /** Environment variables for the browser. */
  busAddress: string;
  /** Returns the titles currently shown, once the browser has received the ids of all of them. */
  list(): Promise<string[]>;
  /** Clicks the notification body. */
  press(title: string): void;
  close(): Promise<void>;
}

/** Returns null on a machine without a message bus; a distribution's Chromium package installs one. */
export async function openDesktop(): Promise<Desktop | null> {
  if (spawnSync('dbus-daemon', ['--version']).status !== 0) return null;
  const bus = await startBus();
  const { default: dbus } = await import('@homebridge/dbus-native' as string);
  const connection: MessageBus = dbus.sessionBus({ busAddress: bus.address });
  await new Promise<void>((resolve, reject) =>
    connection.requestName(NAME, 0, (error) => (error ? reject(error) : resolve())),
  );
  const { service, shown, callers } = createNoticeService();
  connection.exportInterface(service, PATH, INTERFACE);
  return {
    busAddress: bus.address,
    async list() {
      await Promise.all([...callers].map((caller) => ping(connection, caller)));
      return [...shown.values()];
    },
    press(title) {
      const pressed = [...shown].find(([, shownTitle]) => shownTitle === title);
      if (!pressed) throw new Error(`nothing titled ${title} is shown`);
      service.emit('ActionInvoked', pressed[0], 'default');
    },
    async close() {
      connection.connection.end();
      await bus.stop();
    },
  };
}

/**
 * Waits until the caller has received everything sent to it so far: the bus keeps messages in order. Without this,
 * a repeated alert could reach the browser before the id of the first, and the browser would show both.
 */
function ping(connection: MessageBus, caller: string): Promise<void> {
  const call = { destination: caller, path: '/', interface: 'org.freedesktop.DBus.Peer', member: 'Ping' };
  // A caller that is gone has nothing left to receive.
  return new Promise((resolve) => connection.invoke(call, () => resolve()));
}

function createNoticeService() {
  const shown = new Map<number, string>();
  const callers = new Set<string>();
  let last = 0;
  const service = {
    /** Filled in by the bus. */
    emit(_signal: string, ..._values: unknown[]): void {},
    GetCapabilities: () => ['actions', 'body'],
    GetServerInformation: () => ['simulated desktop', 'tallycast', '1', '1.2'],
    Notify(_app: string, replacedId: number, _icon: string, title: string, ...more: unknown[]): number {
      callers.add((more.at(-1) as { sender: string }).sender);
      const id = replacedId || ++last;
      shown.set(id, title);
      return id;
    },
    CloseNotification(id: number): void {
      shown.delete(id);
      service.emit('NotificationClosed', id, CLOSED_BY_THE_BROWSER);
    },
  };
  return { service, shown, callers };
}

/** Starts a bus that launches no other services, although browsers request many. */
async function startBus(): Promise<{ address: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-bus-'));
  const address = `unix:path=${join(folder, 'bus')}`;
  const configFile = join(folder, 'bus.conf');
  const anybody = '<allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>';
  writeFileSync(
    configFile,
    `<busconfig><type>session</type><listen>${address}</listen><policy context="default">${anybody}</policy></busconfig>`,
  );
  const daemon = spawn('dbus-daemon', ['--nofork', '--print-address', `--config-file=${configFile}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const failed = once(daemon, 'exit').then(() => Promise.reject(new Error('the message bus did not start')));
  await Promise.race([once(daemon.stdout, 'data'), failed]);
  failed.catch(() => {});
  return {
    address,
    async stop() {
      const over = once(daemon, 'exit');
      daemon.kill();
      await over;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
