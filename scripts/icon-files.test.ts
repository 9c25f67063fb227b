import { expect, test } from 'vitest';
import { createIcns, createIco } from './icon-files.ts';

const pictures = [16, 32, 256, 512, 1024].map((size) => ({ size, png: Buffer.from(`png of ${size}`) }));

test('lists each picture of a Windows icon up to 256 pixels with its offset', () => {
  const ico = createIco(pictures);
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 3]);
  const entries = [0, 1, 2].map((index) => {
    const offset = 6 + index * 16;
    const [pictureLength, pictureOffset] = [ico.readUInt32LE(offset + 8), ico.readUInt32LE(offset + 12)];
    return [
      ico.readUInt8(offset),
      ico.readUInt8(offset + 1),
      ico.toString('latin1', pictureOffset, pictureOffset + pictureLength),
    ];
  });
  expect(entries).toEqual([
    [16, 16, 'png of 16'],
    [32, 32, 'png of 32'],
    [0, 0, 'png of 256'],
  ]);
});

test('writes an element per size and density of a macOS icon, and the total length', () => {
  const icns = createIcns(pictures);
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  const elements: string[] = [];
  for (let offset = 8; offset < icns.length; offset += icns.readUInt32BE(offset + 4)) {
    elements.push(
      `${icns.toString('latin1', offset, offset + 4)} ${icns.toString('latin1', offset + 8, offset + icns.readUInt32BE(offset + 4))}`,
    );
  }
  expect(elements).toEqual([
    'icp4 png of 16',
    'icp5 png of 32',
    'ic11 png of 32',
    'ic08 png of 256',
    'ic13 png of 256',
    'ic09 png of 512',
    'ic14 png of 512',
    'ic10 png of 1024',
  ]);
});
