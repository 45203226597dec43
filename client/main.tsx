import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Brand } from './ui/Brand.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');

createRoot(root).render(
  <StrictMode>
    <Brand />
  </StrictMode>,
);
