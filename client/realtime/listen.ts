// The socket and what its events change.

import type { TextMessage } from '@matterdesk/contract/messages.ts';
import { loseSession } from '../shell/session.ts';
import { store, type Dispatch } from '../core/store.ts';
import { personHeard } from '../features/accounts/slice.ts';
import { caseHeard } from '../features/cases/slice.ts';
import { fileGone, fileHeard } from '../features/files/slice.ts';
import { sectionChanged } from '../features/mails/slice.ts';
import { messageReceived } from '../features/messages/slice.ts';
import { taskChanged, taskDeleted } from '../features/tasks/slice.ts';
import { socketConnected, socketLost } from '../core/connection.ts';
import { closeSocket, openSocket } from './socket.ts';

/**
 * Opens the socket and lets the stores hear what it tells.
 * @returns what closes it
 */
export function listen(token: string, dispatch: Dispatch): () => void {
  const socket = openSocket(token, {
    connected: (id) => dispatch(socketConnected(id)),
    lost: () => dispatch(socketLost()),
    ended: () => loseSession(token),
  });
  socket.on('case.created', (one) => dispatch(caseHeard(one)));
  socket.on('case.updated', (one) => dispatch(caseHeard(one)));
  socket.on('task.created', (task, origin) => dispatch(taskChanged(task, origin)));
  socket.on('task.updated', (task, origin) => dispatch(taskChanged(task, origin)));
  socket.on('task.deleted', (deleted, origin) => dispatch(taskDeleted(deleted, origin)));
  socket.on('file.uploaded', (file) => dispatch(fileHeard(file)));
  socket.on('file.trainingChanged', (file) => dispatch(fileHeard(file)));
  socket.on('file.deleted', (gone) => dispatch(fileGone(gone)));
  socket.on('mail.received', (news) => dispatch(sectionChanged(news)));
  socket.on('user.created', (user) => dispatch(personHeard(user)));
  socket.on('user.updated', (user) => dispatch(personHeard(user)));
  const hearMessage = (message: TextMessage) => {
    const own = store.getState().user.current?.twilioConfig.twilioPhoneNumber;
    if (own) dispatch(messageReceived({ own, message, isSeen: !document.hidden }));
  };
  socket.on('message.received', hearMessage);
  socket.on('message.sent', hearMessage);
  socket.on('message.statusChanged', hearMessage);
  return closeSocket;
}
