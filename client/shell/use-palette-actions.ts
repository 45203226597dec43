import type { Contact } from '@matterdesk/contract/contacts.ts';
import MessageCircle from 'lucide-react/icons/message-circle';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import PenLine from 'lucide-react/icons/pen-line';
import Plus from 'lucide-react/icons/plus';
import Sun from 'lucide-react/icons/sun';
import { paths } from '../core/paths.ts';
import { useAppSelector } from '../core/store.ts';
import { chooseTheme } from '../core/theme.ts';
import { textable } from '../core/textable.ts';
import { type Find, isCalled } from './palette-finds.ts';

type Action = Find & { also?: string };

const COMPOSE: Action = {
  label: 'Compose',
  also: 'New mail Write an email',
  icon: PenLine,
  to: paths.emailTo(''),
};
const TEXT: Action = {
  label: 'Text a client',
  also: 'New message SMS',
  icon: MessageCircle,
  to: paths.messages,
};
const NEW_CASE: Action = { label: 'New case', also: 'Add matter', icon: Plus, to: paths.newCase };
const NEW_TASK: Action = { label: 'New task', also: 'Add card', icon: Plus, to: paths.newTask };
const THEMES: readonly Action[] = [
  { label: 'Light theme', icon: Sun, run: () => chooseTheme('light') },
  { label: 'Dark theme', icon: Moon, run: () => chooseTheme('dark') },
  { label: 'System theme', also: 'Automatic', icon: Monitor, run: () => chooseTheme('system') },
];

type Subjects = {
  matter: { id: string; caseName: string } | undefined;
  contact?: Contact | undefined;
};

/** What the user may do: in general, and with the first matter and the first contact that a text found. */
export function usePaletteActions(text: string, { matter, contact }: Subjects): Find[] {
  const may = useAppSelector((state) => state.user.current?.permissions);
  const general: Action[] = [
    ...(may?.createCases ? [NEW_CASE] : []),
    ...(may?.editTasks ? [NEW_TASK] : []),
    COMPOSE,
    TEXT,
  ];
  if (text === '') return general;
  const named = [...general, ...THEMES].filter((action) => isCalled(action, text));
  const inMatter =
    matter && may?.editTasks
      ? [{ label: `New task in ${matter.caseName}`, icon: Plus, to: paths.newTaskIn(matter.id) }]
      : [];
  return [...named, ...inMatter, ...(contact ? actionsWith(contact) : [])];
}

function actionsWith({ name, emails, phoneNumbers }: Contact): Find[] {
  const number = phoneNumbers.map(textable).find((one) => one !== undefined);
  const [email] = emails;
  const text = number !== undefined && {
    label: `Text ${name}`,
    aside: number,
    icon: MessageCircle,
    to: paths.messagesWith(number),
  };
  const compose = email !== undefined && {
    label: `Compose to ${name}`,
    aside: email,
    icon: PenLine,
    to: paths.emailTo(email),
  };
  return [text, compose].filter((find) => find !== false);
}
