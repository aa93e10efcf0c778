"""Writes small images in many forms, and what Pillow reads and makes of them (python3-pil in Debian).

    python3 images.fixture.py
"""

import base64
import io
import json
import pathlib

from PIL import Image

WIDTH, HEIGHT = 7, 5


def picture():
    image = Image.new("RGB", (WIDTH, HEIGHT))
    image.putdata([((37 * x + 11 * y) % 256, (90 * y) % 256, (255 - 30 * x) % 256)
                   for y in range(HEIGHT) for x in range(WIDTH)])
    return image


def grey16():
    image = Image.new("I;16", (WIDTH, HEIGHT))
    image.putdata([(x * 9000 + y * 300) % 65536 for y in range(HEIGHT) for x in range(WIDTH)])
    return image


def main():
    rgb = picture()
    forms = {
        "png rgb": (rgb, "PNG", {}),
        "png rgba": (rgb.convert("RGBA"), "PNG", {}),
        "png grey": (rgb.convert("L"), "PNG", {}),
        "png grey with alpha": (rgb.convert("LA"), "PNG", {}),
        "png palette": (rgb.quantize(12), "PNG", {}),
        "png one bit": (rgb.convert("1"), "PNG", {}),
        "png sixteen bits": (grey16(), "PNG", {}),
        "jpeg": (rgb.resize((32, 24)), "JPEG", {"quality": 95, "subsampling": 0}),
        "jpeg progressive": (rgb.resize((32, 24)), "JPEG", {"quality": 95, "subsampling": 0, "progressive": True}),
    }
    images = []
    for name, (image, form, options) in forms.items():
        target = io.BytesIO()
        image.save(target, form, **options)
        read = Image.open(io.BytesIO(target.getvalue()))
        values = (
            [value >> 8 for value in read.getdata() for _ in range(3)]
            if "sixteen" in name
            else [value for pixel in read.convert("RGB").getdata() for value in pixel]
        )
        images.append({
            "name": name,
            "file": base64.b64encode(target.getvalue()).decode(),
            "width": read.width,
            "height": read.height,
            "values": values,
        })
    scaled = []
    for width, height in [(14, 10), (3, 4), (7, 2), (1, 1)]:
        made = rgb.resize((width, height), Image.BICUBIC)
        scaled.append({"width": width, "height": height,
                       "values": [value for pixel in made.getdata() for value in pixel]})
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps({"images": images, "scaled": scaled}) + "\n")


main()
