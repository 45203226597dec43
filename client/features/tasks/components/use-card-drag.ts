import { type RefObject, useEffect } from 'react';
import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine';
import { preserveOffsetOnSource } from '@atlaskit/pragmatic-drag-and-drop/utils/preserve-offset-on-source';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview';
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/attach-closest-edge';
import { store } from '../../../core/store.ts';

/**
 * Makes a card draggable, and its row a drop target. Feedback during a drag is written straight to the
 * document: React renders nothing until the drop.
 */
export function useCardDrag(id: string, card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = card.current;
    const row = element?.closest('li');
    if (!element || !row) return undefined;
    return combine(
      draggable({
        element,
        canDrag: () => store.getState().tasks.moving[id] === undefined,
        getInitialData: () => ({ cardId: id }),
        onGenerateDragPreview: ({ nativeSetDragImage, location }) =>
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: preserveOffsetOnSource({ element, input: location.current.input }),
            render: ({ container }) => container.append(previewOf(element)),
          }),
        onDragStart: () => element.toggleAttribute('data-dragging', true),
        onDrop: () => element.toggleAttribute('data-dragging', false),
      }),
      dropTargetForElements({
        element: row,
        getData: ({ input, element: over }) =>
          attachClosestEdge(
            { rowOf: id },
            { input, element: over, allowedEdges: ['top', 'bottom'] },
          ),
      }),
    );
  }, [id, card]);
}

function previewOf(element: HTMLElement): HTMLElement {
  const { width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px` });
  copy.toggleAttribute('data-preview', true);
  return copy;
}
