import { useLayoutEffect, useRef } from 'react';

interface PlaceProps {
  /** An element that has one place at a time. */
  of: HTMLElement;
}

/** Where an element stands that moves from one part of the page to another. */
export function Place({ of: element }: PlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(element);
    return () => element.remove();
  }, [element]);
  return <div ref={place} />;
}
