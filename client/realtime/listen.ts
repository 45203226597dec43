// The socket and what its events change.

import { io, type Socket } from 'socket.io-client';
import type { ServerToClientEvents, SessionEnded } from '@matterdesk/contract/events.ts';
import type { TextMessage } from '@matterdesk/contract/messages.ts';
import {
  type ClientToServerEvents,
  socketOptions,
  type SocketRefusal,
} from '@matterdesk/contract/socket.ts';
import { laterPages } from '../core/chunks.ts';
import { everythingStale, socketConnected, socketLost } from '../core/connection.ts';
import { fullName } from '../core/full-name.ts';
import { msSinceFirstFetch } from '../core/resource.ts';
import { store, type Dispatch } from '../core/store.ts';
import { formatTime } from '../core/words.ts';
import { personReceived } from '../features/accounts/slice.ts';
import { calendarChanged } from '../features/calendar/slice.ts';
import { recheckAccess } from '../features/cases/api.ts';
import { caseReceived } from '../features/cases/slice.ts';
import { alertsChanged } from '../features/conflicts/slice.ts';
import { contactsChanged } from '../features/contacts/slice.ts';
import { deadlineChanged, proposalChanged } from '../features/deadlines/slice.ts';
import { fileDeleted, fileReceived } from '../features/files/slice.ts';
import { intakeChanged } from '../features/intakes/slice.ts';
import { sectionChanged } from '../features/mails/slice.ts';
import { messageReceived } from '../features/messages/slice.ts';
import { noticesChanged } from '../features/notices/slice.ts';
import { entryReceived } from '../features/stream/slice.ts';
import { taskChanged, taskDeleted } from '../features/tasks/slice.ts';
import { trayChanged } from '../features/tray/slice.ts';
import { toast } from '../ui/toast-store.ts';

interface SessionHooks {
  /** The server no longer accepts the token, or has ended the session. */
  ended: (reason?: SessionEnded['reason']) => void;
  /** The user must set up a second factor first. */
  refused: () => void;
}

/**
 * Opens the socket and dispatches its events to the stores.
 * @returns a function that closes it
 */
export function listen(token: string, dispatch: Dispatch, hooks: SessionHooks): () => void {
  const socket = openSocket(token, {
    ...hooks,
    connected: (id) => dispatch(socketConnected(id)),
    missed: () => dispatch(everythingStale()),
    lost: () => dispatch(socketLost()),
  });
  socket.once('connect', loadPagesAhead);
  socket.on('case.created', (matter) => dispatch(caseReceived(matter)));
  socket.on('case.updated', (matter) => dispatch(caseReceived(matter)));
  socket.on('task.created', (task, origin) => dispatch(taskChanged(task, origin)));
  socket.on('task.updated', (task, origin) => dispatch(taskChanged(task, origin)));
  socket.on('task.deleted', (deleted, origin) => dispatch(taskDeleted(deleted, origin)));
  socket.on('entry.created', (entry) => dispatch(entryReceived(entry)));
  socket.on('entry.updated', (entry) => dispatch(entryReceived(entry)));
  socket.on('tray.changed', ({ counts }) => dispatch(trayChanged(counts)));
  socket.on('event.created', () => dispatch(calendarChanged()));
  socket.on('event.updated', () => dispatch(calendarChanged()));
  socket.on('series.changed', () => dispatch(calendarChanged()));
  socket.on('file.uploaded', (file) => dispatch(fileReceived(file)));
  socket.on('file.trainingChanged', (file) => dispatch(fileReceived(file)));
  socket.on('file.deleted', (deleted) => dispatch(fileDeleted(deleted)));
  socket.on('deadline.created', ({ id }) => dispatch(deadlineChanged(id)));
  socket.on('deadline.updated', ({ id }) => dispatch(deadlineChanged(id)));
  socket.on('proposal.opened', () => dispatch(proposalChanged()));
  socket.on('proposal.decided', () => dispatch(proposalChanged()));
  socket.on('notice.raised', () => dispatch(noticesChanged()));
  socket.on('contact.updated', () => dispatch(contactsChanged()));
  socket.on('import.ended', () => dispatch(everythingStale()));
  socket.on('intake.created', ({ id }) => dispatch(intakeChanged(id)));
  socket.on('intake.updated', ({ id }) => dispatch(intakeChanged(id)));
  socket.on('conflict.alerted', () => dispatch(alertsChanged()));
  socket.on('mail.received', (change) => dispatch(sectionChanged(change)));
  socket.on('user.created', (user) => dispatch(personReceived(user)));
  socket.on('user.updated', (user) => dispatch(personReceived(user)));
  const receiveMessage = (message: TextMessage) => {
    const own = store.getState().user.current?.twilioConfig.twilioPhoneNumber;
    if (own) dispatch(messageReceived({ own, message, isSeen: !document.hidden }));
  };
  socket.on('access.changed', ({ id }) => void dispatch(recheckAccess(id)));
  socket.on('access.opened', ({ person, until }) => {
    const at = formatTime(until);
    toast.plain(`${fullName(person)} opened a restricted matter until ${at}`);
  });
  socket.on('message.received', receiveMessage);
  socket.on('message.sent', receiveMessage);
  socket.on('message.statusChanged', receiveMessage);
  return closeSocket;
}

type ServerSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

interface Hooks extends SessionHooks {
  connected: (id: string) => void;
  /** Events may have been lost. */
  missed: () => void;
  lost: () => void;
}

let open: ServerSocket | undefined;
/** Only the first connection knows since when this page has data without events. */
let wasConnected = false;

/** Opens a socket with the token, replacing any earlier one. */
function openSocket(token: string, hooks: Hooks): ServerSocket {
  closeSocket();
  const socket: ServerSocket = io({
    forceNew: true,
    ...socketOptions,
    query: { token },
    transports: ['websocket'],
    reconnectionAttempts: Infinity,
  });
  open = socket;
  socket.on('connect', () => {
    hooks.connected(socket.id ?? '');
    const missed = wasConnected ? Promise.resolve(true) : missesEvents(socket);
    wasConnected = true;
    void missed.then((isMissed) => isMissed && socket === open && hooks.missed());
  });
  socket.on('disconnect', (reason) => {
    if (socket !== open) return;
    hooks.lost();
    // The server disconnected without ending the session, as in a restart, so reconnect.
    if (reason === 'io server disconnect') connectAgain(socket);
  });
  socket.on('connect_error', (error: Error & { data?: SocketRefusal }) => {
    if (error.data?.code === 'invalidToken') return hooks.ended();
    if (error.data?.code === 'mustEnrol') return hooks.refused();
    hooks.lost();
    // Socket.IO does not reconnect by itself after a refusal, such as while the server's database is down.
    if (!socket.active) connectAgain(socket);
  });
  socket.on('session.ended', ({ reason }) => hooks.ended(reason));
  return socket;
}

const ANSWER_MS = 5000;

/** Whether events may have come since this page fetched anything. */
async function missesEvents(socket: ServerSocket): Promise<boolean> {
  try {
    const quiet: unknown = await socket.timeout(ANSWER_MS).emitWithAck('quiet');
    // Events may also have come while the answer was on its way.
    return typeof quiet !== 'number' || quiet <= msSinceFirstFetch();
  } catch {
    return true;
  }
}

function connectAgain(socket: ServerSocket) {
  // Spread, so that the firm's browsers do not all reconnect at once.
  const spread = 1 + (Math.random() * 2 - 1) * socketOptions.randomizationFactor;
  setTimeout(() => {
    if (socket === open) socket.connect();
  }, socketOptions.reconnectionDelay * spread);
}

function closeSocket(): void {
  const socket = open;
  open = undefined;
  socket?.disconnect();
}

/** Milliseconds to wait after the first page, so that preloading competes for neither network nor CPU. */
const PRELOAD_DELAY_MS = 5000;

/** Loads the code of the other pages while nothing else happens, so that going there waits for no network. */
function loadPagesAhead(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData === true) return;
  setTimeout(() => void loadAll(), PRELOAD_DELAY_MS);
}

async function loadAll(): Promise<void> {
  for (const load of laterPages.splice(0)) {
    await whenIdle();
    // Without a connection, each page says so when it is opened.
    await load().catch(() => undefined);
  }
}

function whenIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, PRELOAD_DELAY_MS / 10);
  });
}
