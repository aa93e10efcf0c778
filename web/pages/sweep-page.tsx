import { Frame } from '../parts/frame.tsx';
export function SweepPage() {
  return <Frame crumbs={[]} title="">x</Frame>;
}
