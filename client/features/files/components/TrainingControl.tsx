import MessageSquareText from 'lucide-react/icons/message-square-text';
import { useState } from 'react';
import type { FileDetail } from '@matterdesk/contract/files.ts';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { checkTraining } from '../api.ts';
import { percent } from '../rules.ts';
import { useLibrary } from './use-library.ts';

interface TrainingControlProps {
  folder: string;
  url: string;
  name: string;
  training: FileDetail['training'] | undefined;
}

/** 'Train AI', then 'Training...', then 'Chat'. */
export function TrainingControl({ folder, url, name, training }: TrainingControlProps) {
  const { caseId, train } = useLibrary();
  if (training?.status === 'trained') return <ChatButton folder={folder} name={name} />;
  const isTraining = training?.status === 'training';
  return (
    <Button
      size="small"
      variant={isTraining ? 'default' : 'quiet'}
      disabled={isTraining}
      onClick={() => void train({ caseId, folder, name }, url)}
    >
      {isTraining && <Spinner className="text-accent" />}
      {isTraining ? `Training... ${percent(training.progress)}`.trim() : 'Train AI'}
    </Button>
  );
}

function ChatButton({ folder, name }: { folder: string; name: string }) {
  const { caseId, onAsk } = useLibrary();
  const [isBusy, setIsBusy] = useState(false);
  const open = async () => {
    setIsBusy(true);
    try {
      const { status, message } = await checkTraining({ caseId, folder, name });
      if (status === 202) toast.error(message);
      else onAsk({ folder, name });
    } catch (error) {
      if (error instanceof CallError) toast.error('Error enabling chat');
    }
    setIsBusy(false);
  };
  return (
    <Button size="small" icon={MessageSquareText} busy={isBusy} onClick={() => void open()}>
      Chat
    </Button>
  );
}
