import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { buttonClass } from '../../../ui/button-class.ts';
import { isPicture } from '../rules.ts';

/** A picture shows itself and opens in a tab of its own; anything else is a file to be saved. */
export function Media({ url, mimeType }: { url: string; mimeType: string }) {
  const [isLost, setIsLost] = useState(false);
  if (isPicture(mimeType) && !isLost)
    return (
      <a href={url} target="_blank" rel="noreferrer" className="block max-w-[80%] rounded-pop">
        <img
          src={url}
          alt={`Attachment ${mimeType}, opens in a new tab`}
          loading="lazy"
          onError={() => setIsLost(true)}
          className="h-44 max-w-full min-w-24 rounded-pop border border-line bg-sunken object-contain"
        />
      </a>
    );
  return (
    <a href={url} download className={buttonClass({ size: 'small' })}>
      <Download /> Attachment ({mimeType})
    </a>
  );
}
