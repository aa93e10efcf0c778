import { inflateSync } from 'node:zlib';
import { raise } from './machine.ts';

/** Names of letters, signs and symbols with their code points, from the Unicode Character Database. */
const packed =
  'eNqVXUmaozoM3ucUXKC+L8ywJAmV0EUgj6Gqq3eM9z/Ckzxhg+3q3nSXpd/ClmVZHuOdnfaVXfOT5zr572uZPbOuqCvnmTUfJ8' +
  '9z/uvrTqb4TtU/L3njtMW9OnmBc6vLMuPJ0HnlzTWvOpaOnOwJlDarbicvdrJX3XZN/XrA5xKnzN8755U1AH/kbdGevNRpivtj' +
  'RxycrO3ypmjh66PzKvuWCZ+ca/18Zidvdh7fILN6exZVDzkW570vS6ft6tfJW522Losb0P2zcyvuRef8yZv65LssVVf5yfdYov' +
  'sCjs8TjyYHXsCS73XfnPyQp4pP4EUs1Ra/T37ME/lnXp38hCVzrNPJT1myKvCDAxS+rAE1AvxZsMQESmnbt+6RVbSS/uzk//VZ' +
  'yersL869yTNQh4xZoZXydmuk4Ew0Ay1RZKWTdafAdUpoxMq5Zq+iA1qZdyDDyU6Bp+dcToGv51xPQaDn3E5BqOfkpyDSc95PQa' +
  'zn3E9Bouc8TkGq5xSnYNBzfp2CUc8BdU16TnkKZj3neQoWPac6BaueU5/Cs57zOoWG9vnvFBrapzmFhvZpT6GhfbpTaGif/hQa' +
  '2ufzFBra5+sUGtrn9yk0tM/3KTS0z59TOFKH0IK5N7lzabLrRw5FnpwGulPT5qIfhzNzE3vo4lyL5to/38v8t5Nd0Q+dQmiO+s' +
  'spsdNFZ+g92WfOeRFXe/vMSqlTRJ6OfjlFvo5+PUWBjn47RaGODuWIdPT3UxTr6PdTlOjoj1OU6ujFKRp09F+naNTRP07RpKOX' +
  'p2jW0Z+naNHRq1O06uj1KT7r6K9TrNX/f6dYq//mFGv1355irf67U6zVf3+Ktfr/PMVa/X+dYq3+f59irf6/T7FW/39OMTPxa9' +
  '+U38Js48kB++6KK/YGNNOY2/cOtzhdUd7y03B2qvrtAuPABxu7B9cpKhSS346D+OA524g8+M6r7qsbSwX4DRhrr9+MEDrfORtW' +
  'hgg+XX9A8pI1pyGGcepKpFIujm5Z3pAxekhhwHl9s15J2IPzDsMajnVO3dyKCipXVDeoZFeDMKqIt1ddVKCnOwQR/aWEflnd4d' +
  '9dyDFMUF0udgYvABqk4/1pWMA53AsMD3JepRVyXRsYTEcY7nMYLXPKGF0SO9AYgZE8p+0xPLk2xYuO/aOvkkgEMAbgMfpO+I0x' +
  'dGDEbmomJXJeRQnJL5aOgXu7QUVuNWAT0P6tgBjpNKaKbIw7xgFK2177Uq+ncaSW8HeKGsGQ+vIOwdg7mAyhwzccdJKgoNM4a9' +
  'mPrHw/jcuBR6rOM7encd1MTI02JsOwljlfRfegHvc0uVYQUe9p8qygzbmfJt+KpP1kCqygzXyn0ApsUPHZpcZqGIbJDFiGcfLK' +
  'Cs+MYDIMmrmirdQKYtoarCBZW6MVKSnCEAkVSuFmK4gVbrGC5MKtVuRWuNlgZ3n3OM0G86pke5gN5lXLtZt9K4jWbg6sIKl2c2' +
  'hFsoJFVpCkAnAtfdkVrxIdhPDFc2LNj1OuD/iKwah6pfqDFcSqP1pBcvUnK1KqmcGovpXvGoyqe9QNaEEbfbSPrHlBjLBoYxDF' +
  'Ry2uBUJLsHgWiFTvxbfgaKMvgQWyKWYJLTDJMy3amAb80qINanZeadFGOIpPWlILhGlnsEBk7YwWnFR1bViq+KJltkBYoRYLRC' +
  '7UasFthVq1doQ+aNWaj+KBVq35KP5n9S0QWqM1sECkGq2hBccKFFkgUqVxZeOzaIXHWRNLPuZvVq3BKN5mHSwQVtnRApErO1lw' +
  'Uk20BqN4mVVrMNTHrKsl+/YV92yPiViE6p5tHkeA7FHRBafHgLJ5HI6xB0T1HeLBD4DZXI4ARdZwh6rSPducD8ck9sBpa2P3nN' +
  'p8mQwcrDIhMGdu0z2PFpEybrKXMqNtNdsKyDCGUeymorSWpmLcs1US64eu61pECZBnjRG5Mbq+xXULUGCVxazRDS2iOCayR65b' +
  '+7ixbUyRcPb4m5u3axvtBOiHCJy1km204xiDdd2Ppu1qTUwHXKwyuYZXiziG8c5WSZJ2PdciTcZ59vqysMT1fFtlBcpgb4+jUj' +
  'yt0emAkVUm7zZebJEnQIl1ikOHYtdLLQEIxwxWSbwDeqNFlADZJ3u87W0RFsfYJ3u8u3i2CIuD/LN9OrjZkK93a3WHWyhOAYCD' +
  'kRX3rOub3Cl+AXdnWgrPYFC/jnbiaw1KBzQY1MfOmH2tRR1Q2gDso0GWYZ5XKqOurw29dpjRKmkrzGSRtaFmuzTqCf3FJothVq' +
  'skafXNDc4WcQrQtcrkXTnwLPIEyLeuRjDtBoFlvsAxoVWS0G0QWWRtqNgujWo3SGyyGCbVY15NDl/Lb87lW97sdU3bcnl1B6Z+' +
  'gCSsybqywV1ZMFumIwK0WGUxXxasFlEMY9rI4/MmtkZLmzB0bVMsFWp0WDVyDQ6L8AwOq1GsKdT6qh0mskoSthTGFlkbKrFLo9' +
  'YUpjZZDGOwoFYtvdaUdpjJKkn22eFsEacAF7tMoY/VJpCjorNdGtWIfvdyhzHEWd3+i9o464AK7NLYN0ObLIaJrJK4I9VviO5B' +
  'iXWNkUVOkW01gmPsi5/ckUS2JQkBsq98Mk+i32HdYRarJGkN0NVvwGqA8dm+Lqu4Jf02rR7qWeXyIE+/kbsHGazt69j99Bu9Om' +
  'BkXWZWoLFlqUcBJlaZ0qpQbIjM/ij+ybB7rGJGqyQpSo4nizQZN1slsn4bLxZpHKM1wrIG62tPfoxnMPL84zCvyrsMuC7jqtMp' +
  'yvP0ObPm+siKq9Nmz1cBMF8nYg8KGKjqn3kDsuhBKrAjSi7rL4xnVGak//4LRD6+yyKr8IBXhifSfDAeTSG0yIEhv1/1Pb83QM' +
  '0rLOGoSGBnYG5O2VdZR7a0n5nTfj8vdQngSQFDs3ZG6KyXa82zsDzqxq8PLa3VyDcE1H7CVdzVVQ0Nn3DdQocov7viIxMcg2Kz' +
  '8vXgWyYMydWaVbXT5WVegAaTRJ89f7UFWJ0qIDVgu92HBj2uqPfASQ+syQGB3ccXPbbXFXQ1yc3vagnSs87UtoJu6s6qm8jkWl' +
  'QObENXu5COmPp6LrPoNNCzb3lJcofW5gKAwRz+0I/HxhYEpsEUOupB0tTcqsA1tPlH9nohe9Szy+x5Q7bBEJ498GY9r0KewSh+' +
  'gw9IV6txnfzB4EzRxQ2GJm4eNTANTUj6PbANTdhlUOIhtJoxAEyO8oHFMrTflTAN7QeSgZlaugSwf+yyoicAePyLrijjJ+2gcn' +
  'BQw6zD6TzRsGiRO/cyrPbOzWCj1gfoKyO7gdE1VguYno5JXcCoHWSZAxgDHZN1/zG0aAjYkY5Nu/4YG1QGrETHYt1+TE1KBN6g' +
  '47EuP446Juvwo9YksLuPWiPAzj5qGx27+qhtaNHRJ20DYzeftE1IOvmkbcB3csaMdfRJ246cqW1H4gOm0GJwwNa2Iun/k7YRSe' +
  '+ftI1I+v6U6tVDev40/OUICNDx7zsKoCdLoygdcJp/lMuRi7EmKm7v+z+yQgRkMzcH7I0blZsCsfuNzM1AKc6jrj82iK+DsDOP' +
  '4C5UcKADi2mOJgM3FjCAjchN5CXRuG0odeVWsYvkP2rSR+fUFu5z0KDKgCCWWPisNQfBndRcImafta29sRc1Hy+Etosz5nLelZ' +
  'DOUxZt7+ZMD0/ddlDN/Sj+yJHtc/buQBRhBoa874QbarNSXmTI+UEFx9qsjJkY8j7qBtmpNi9jDoa896y64zxgGbW5BXsyaqvA' +
  'Vltmg7oodzHkvpF6rdq8hLeehVFDSwuzXnnLgqveiLyraqdhq6/aCJlmrftQTe38a6hK5KGI4PNuuJ9gHoCGuK3FkWbVem7KOk' +
  'Rt2qoZgrc2w+tN+l5KWJOkRWlVcBO8D73tE+l1H43bpsXrapJtyRWcz871uynK8mhLhXLgLji7ZmQNbM/Ivv3C7L6Rfyf8wMjv' +
  'P5qsqHCdokBgaP7QH+RHRv7lOy/rpm9bkPUmSYVMsTHTN7ITI5uUPTWyS8IfjPyK8EcjvwMHCYDJCPggAmZz26iNuBiB0D+azu' +
  'kBs1oUjKVxzTaTAddsJxfMbLYTLKBrMRPybbOZ3JAdWswZ2GbboDUzmwGalms2AzASN/1Bt4gxW8IH6s5sCDl0VtdsBvkT2GYr' +
  'yCtgm9se+q9rbvUXVN0zt3neANvc6HkLbHOjdyjc3Ohgj565yfN3YJub/IE3SiNL38Jvm5v8iibhJZZWRfm2Vr8SxGApYMMuCg' +
  'Weuem/8wbVYG58cgmJibHYAHDNJvCNnzDbwDdUxJdsYHdHMfBdAw/7vO8ZmNjjfd/AJP3dDwxc7O1+aGBiX/cjA5P0dD82cZGZ' +
  'mOQCLzXwRB/3BwMCe7g/GpjYv/3JxITe7c8mJjS7vxiY0LP91cDDfh2Y2hR7dWBqVOzTgalRsUcHpkYFKwtMTYq9OTA1KfakwN' +
  'SkpCcHpiYl/ThIjO2Gks2tSvpwMBiLJXpwYGpa2n8DU+NKvTcwtjHwTE2MPTcwtTH22/Bs7CZKcBCamhvju9DU3CS6C42dmHBN' +
  'La5GdqGp7UlcF5oa3xzVhSaLwJguNBkEKbHJHkg8F5qsgURz4Wi0UjTE0GQHJJILTRagxnHhYvVCYBHhalQmvndxhiCOXVuFv1' +
  '2nqit6hxe35TeG57wXdzzWc8vaBxJ8cDciEYBjEomQzIz/1BWOGnhHF2gR35BXrxQDJ+YccR0eiOwRjrbQ3ScFPn+QwwgYOAuk' +
  'vqUawMgBDxD0xmdIWuhEC8OKeeTza9FGwCJVUfuFlQN+LAxEX7fsfs9RqRBqsWwbyXMufQnti3/7TteA/d97fAdlIwfkei1usZ' +
  'd5dqPZQrxkvKNFcjPmYD4v8uzJGeIkaha0YOQKMJIT0npOm7+yhtwSBlqKT6ZkYKqvh8oY6EXrrn6jusufl/x2gxZBJr9dDFyi' +
  'eYU5wRdfzq1o6K1vKNt73TyzrmP8eSe5BmU2xQ3NCoIeVbDMW50qa/Cy9O4Ou3eGaOeFS+jQhdidbaC5hNbleCG57vEhGcHynF' +
  'dTPElOn7eQoATYKC+ZEm7zc0GL5Dm7KiDeWHtJCR51II0MsQm3f+U+e6bvLr7oLrtr3SY8tFD+nuMF/VzQJl7U43M9ZwhZQCIo' +
  'u75kpJkgTEHls/4OgUlf3dAzYAojERhNsytxlZTk0qqBlBZhkt1B9MHe4XliymfGuRk8RBni8nhbUh+F51ePj3pQx/pfDw2NmE' +
  'j7nMcOFG/dXj6DAJxkI2k0AnGGTD3kHqDmTU3GL7Qrh1ZllGxFvtsPrMm5lFBAUq8viEVaSQMz45H67JkL8bzbW0ZnCCHEV7Y3' +
  'gLwzRg9l3eZO/8KUS3wGz9c6WQklgSzcw5ffiPLkJ3+kNw6A5TvtV49vB9A2gdhA3OSXrAFigXd67OXVV9euV7QIoQB9DwBdl8' +
  'RHVoyPBNyaXu4iMNTja0k6eEpeTtJxBuEcd4xxE8bLM/E1NmibFr0lDOPQTYUKl20A5HkJanWe+a3onyCoe+RoFAjhHig6O181' +
  'hJe/wOaJc45c5x3LgqrIXuLaNXI81GLRFmiTHdQaxUe+RJT9cBRIDHyGAmnRzoMWbV1mHSlHvHOgEgs0WzRtRxY6oVElTnrw2B' +
  'JzgAI8igu+TvUNdoK6ArOAOlF3Ho0Odt1Psl6pBUxCANTqAkwcDjCW54B5k2BALA4dy3BdlT6UBTyqOBgV6meh4QxnJ++b+k19' +
  'pwToLn1AS6ShAzT9n7zgz3IAyQeHBHke6JeqqyAHMIA2mUiGZMQRyQgKKbNjGIBasqTOCIkDtp6LEWpIwWa2YgxOlX/hJst/+S' +
  'ZzBPvD428sOZEqieTsfBQvkVqcrr83xYcgQNACHvHxFCXA3f4chmLwzXlVCY3gAyd5K8Ti9j3406wqBMV3sh7MJhMFGwPn0Xx/' +
  'gvcTlJAc9xVJsNHiE5xyB52oqgvhVMYYOk3egua2DyY4TN+FYsaUvGQCxVT0NUI375uPon0ozTCOYAHNDawGu7igTpAEoxFpiA' +
  'HJKMDTeB6x2Yq7OmCg17rg7YEXcbPrte4rCELeMe062e3W5C0Z12vcLXHa/vILugxyPTbKvIGa+uu2sn9Fps/fk7nmZVtgH8Yb' +
  'tfgiDCiIxmR0jd/DK7Q4jrJvwjwqu2XgbDNMxdD6JU6S66rtsop8N3HaK/GgmEj5d94z8LnVIy8IZnDYwzF0cnFH2shpvKAPpL' +
  'Ih6o3PxmXebKghYS7gm6CnfChlW/dEElEQX/0qAADzml0hCNXVF4LwvH0O1BnMdJQKEhr0VeeCk5tNtzDv0VcB2xsmQOTUJrdK' +
  'vBfakgePwCuSB3bu21NFyE72RXkhNTV8gjAHA/M/ZB5apEGqoUUIz9QihLnglRoqkTzKk32gibgYObQvaA9MwVwFgrXPQsSIeA' +
  '0TT0e+HjgDYYqAKQt0/Vsu9y+8X4kBSHEllkdec9QV5Q8yQwf0eN3kRU79eIpUvAUVMjnRV5wITNERYCRjOp3j4X3Hj7z83Poz' +
  'zFkgsMWxb/vGtFf5Bamz/svYk2F+glEgjP4YeXG7wpciZftDjfgH2yZUd0/Fbg7zEVYfhervsU+kBuq3aqSFENrl71uBYHZyyT' +
  'spHTt3CDRKiZJAUFcqGHS6dKJG4nBw2+RtT5h5NDi5kEqH5goTjPfs2hbgx0XDigkGtwJaRNLX/VnLowcfPLy8pzcgAVhNHQul' +
  'w4RE5VZvWQPjW/98srALr+kxJcNUsH0Duy/et68gwLMAUEMwc9mibgMksMj4RsDeBSFHWsK/ISbSY9gRbUTENgS2GsxtLAiist' +
  'SG+IWIAVxIDZPo7pst++CFO1Y/6XVWvGv3Eu+64pW67ANmBi2MdR8Z9qhgEVohwtG6YQpDTQ9jPTyXAoNxl0l2l56liRKZ9yPR' +
  'hanNjuTJkyZBxXn9V7UjBnROSYNmQQ1BJkFvpAhDCphEfkFv36gxo+aZTE2wzAdqyqiqhGFfJ+VCEgDGQ2X2iEkS8UWepOTCZz' +
  'mvylqkTDj8PnAN6bbxV6FWDRcCaUmwDuBKytbxPX21u6zATgPRtr7SnB8csr+jFycLl+4Qqiah8KKjZJkd741E4SaqXbCrVRkZ' +
  'OSF211YJj68hezBUifNHffayxoeHXYjz9dk5f5YNWWnqYTnY+M6CcFogav2nuP/J7iI3TBBUZbJLbq+tuIhyTait1AjzDurVi/' +
  'PNOFVgYFALxGcVucHPpCA21AtlUOX7EUQGMJ0v6+vHV9HilOVFl1WK5lpuqoWZy8+Y5OA5cLJA7jBRsxqPlgMAjFNJcHyoIGVi' +
  'xmFXTHDNlbP//uj8AJD9B75wVvNzmPCVC29XBM5WoKLrRdjDEai24GpBym0yKT7HVs7JtSPlgk6yRf5Q1Mm3YpXCauySNOZxAJ' +
  'v23mqD1O+aIWuKDtaiNROExhL0lRUN98CkiIn47oGVytIO3EEq1YE5amxkXz5GR/ika6qdpiS4bIH8tqjGoU2Ky7MBV/n7FuB8' +
  'NnwZeZvz23M8k3hkyua05wWmCiBzC0/2HCVK2TOVYGXPVGKWPVMJXfZMOYJhuxuCpwQve6bsd9r/+uJ+l7lK7HJkL7oBhxVta7' +
  'VV7/L3uEVp3ax9SKHKIrXujqO27o6ptO6OFxgcPvJCi8Nf5L7/9Si6TSFLLIq5YyRKEKjyUqmQO9agkydHQ8uoReA2T34DQ8kw' +
  'Ulumn0A8ClJ3n91l/ruMYmmeZVt22XbWuqwW/q7s69mgOaqFr6wkKFc7vtOoAvneYTag8n3Rm9UWWANNyEZmS3QAR8gxpFFGj/' +
  '3MaOVbL3sTQ9e9xvoIVGhYdJc1MURdGmhqCD41UMNUaH8IYctgmhqZc0yG0phzyCMORk9vu5nMusiF0CJW+aMahHc+kykvsScP' +
  'T2rXT3CUT3weHNIe7sd3BdnOeCcbuJhAjo9Lzg1u3hYtbkl554BRbnXekpfOCQs5oZM/XzBtb3OSjJyiujbiGzA0ZJcywz8TJ6' +
  'ffJgvO3jklcmAerpIHvrSgUPHaBHTiooL2aJ0nHgJokD5tJWIAlT9zy9bmXpy8uqE9v5qafmdlyzlAuPW43O65Z0a61hLRPS77' +
  'eK6n7Gl6rk/Tb3XzJv0ijOcGdP+Q7LB5uFIsni2lO9KeG6E6HfZLMZ4bi51VbGa2X+e5CX0uQyalbC9XIQ581xpqSUoP2uwvW3' +
  'Ii24/4+gYjzGQ1pm7YPlhXI3HBRbuiKrpvTK3c1vFQABC88/anCyrO2p7Eb5wGzuoFFkQ6gSD6pOo33EPzyLoua0pKRWJIzoxA' +
  'jVgpvIgAdkRwMPWdib4hIREEogEvpScO2I8DIAVGoYr9ORLmvSG274mTCzJx5jGGTFyIVeHGrUxdwSaa9+yqYP2z81mX/VMlut' +
  'IESqZ7El3zCd/fzc50GNZhofujHv3QueTXrG9JInIatFn8M5ZaGtMJ3cBmhueTcwl5S/4enHtesz1XNdMIo+yzxjs9xRXTE32r' +
  'RrZBf5ZOqpCHbIC2bMvxZfYHOhMSVzx9kpOVBkgGZ+cLf0voIfXIwCU2wMUEvNsJAuin/QanVLOjB/TXiaitBAF1O2ZAiJvoTf' +
  '2bLL3veNGOd+k7Kg5PAuwFge/LC2yFXaYKXbIuQwKe+lnDYC4TmZs8MgaVCEJl7sgtVmhlcohblTDkZ5uKz6xEP0tJy9bIvHgq' +
  'YBWDBVj4Je++cjwS6IVnWsns+oA+jBuWZfHELUEvdI8ieQlCz6BrrA0KAfqdblB6oS9SyDW2EZ4qJXvu9CepkBLyn6diJy+8MK' +
  'Kes6iUnDGlyiS8C9jQbSycaBBaKjZmiPSBKIkfraOQEQb6rJGKMNGr5Yrseavu5Rv4xLnSLhUumwu9oL8Nt5/Pwp9P2aREZzoc' +
  'SxTXAedZ0XiDUjyC2VN9jEaKa6dpZnxES/zGl2pZUaj+uteOG8kZcbotM+Nd1j0/kTLzriXzUzW/DjI4z/762OQgbaQ0OS+SJ8' +
  'l+o5lLUvWwELIibSWknbD4LDr7VoVK1U3sCoxSjT3MO+heKRN9O2jfACokMJdGBYbWIqnYSC3XXgPxoViy2uLEUKS9mNRcIkXe' +
  'wN9xxP4VQ4frr9c8v5HUJHg784xngdtzln0etfLrPqPCTs5b8MLEINXdqCw3UvEHfS4Y3xG/lvAf8xEENkKpqFAQFWy0oXYVSm' +
  'IZu2durSF9Z2+JSaqgNmF73CDJINOeXa9MRiW7FjLRXw2h04hkFqndj4kgc9mYPIhLVh7jSkNGeubEGoJVcnCL0t09eKee1NNk' +
  '3GN8jrlmL0wHIt2TdMim0zce6aeRoPAAK40FiR3P89JEkA7zgjTdeLUS46eD4OznBOkoWLpZRDoJthiu0nn7Dvvywmq31WYVFF' +
  '6b4SxIvDaDK0i7Eg9skcvpsiv+iOfg09ksTwZ06YInydIkT0AY1rKjv5iMnWcNwyv5XgJxT4+db0hx7nulpRh4NCSv6vDv900F' +
  'AyuZkZBDcOqMHYGMpsFPcr+vScg60KGEF2PZEKQ8SIMhJL+Tcw7/9LXxvPkocigWYuqS94rR3TzUkYkRQPPEBYj+cm9q0CXpCa' +
  'OvzIx3GAQEmoy7noDH8cxC9uBo1xnHWO6yY0L79pP0qTF1wPlAHIkH9OAbv3rUGh6LbYrfyB/ovA40R06QeuPo/CbWNU5OReeC' +
  'IzYHIS3ylJW9HtLghGXkk1l6RYLoeuLTfnVmObk7MhE9eYy6m2VOPqNzNzXhz7RmzxpXHbauMIX7zjFFNICUSdLPm/DeNSXOpf' +
  '4iR6O9iS2IMfXDDLTD0w75s6CHbaUJ1MS2jP8Ky3/xUsuc+Kl4LXc/59sczLSw3w1U1bjuqFTn81msq5NRBknuRqLjChI9eeou' +
  'NcMsbl7wdpgD51V01wf0SHQoM5shkGdh1LWFWY56+HuUSN+FOzIrwf78fQxE51Ri7OIestvBvyNPg/a4Uf2uDFW+NZlZs/UDi8' +
  'KVgqx5VThSwLUcwx/R7ZF9jIMUNp2e2IfkxZdB5mF5CXSCdsHGEhoE7XGRfkKixH5LbJyVqLhk895GTLo5cSNmIGStP19G7Xro' +
  '0a8vk0HIXp3z3whUWlO61bBdFPOWFV+yJweQtTfJvBXPg/B9ySK7k5VHmU9P/tgQnrRozA+x4L3F7Xt8+d1b/QNWGYOzji8Na3' +
  'MHh0Xqf5cRHnJvL90COzqwcbpMNqO8NTZ8X4IkByaJChg3PXDJYap9OYlah214/0Gp4w75L+qY9iv1/yxh3uWVlLFohUuA1fmD' +
  'Nk4PpF6yO9skaB8F9JYQAlt6Z4p6DaS4bFNto3gKhT1njae68Tgr2ZRrEearMFYijNnZJ0hBN7GBIlCq+Du5dBYOoQLYbhQxdq' +
  'SwcUOxpj2HXEp6ZB1ePWHYWMH2rxc7LkHPFX3xwxYCn2jwLJLiGUh2jk8VvOjDmpIMBm2MXHs7Or/whiEIC+FCCMQpWCEuDCkU' +
  'pXBXlkXLHbkZ8BChxqeQkcGt4cDwWI7+td2j3KLMcOTWYOIHmvy07jIq1Eg5oiL54p/+czHXmBmS6KUcP5fqZR2Bg14i+QP36c' +
  'Jx1IuSELz9cYjQl3sW+/ImxKKVcSzvqpV0wE1n6RKm9osTNxszwtPKOH7L10o64gKtvE2RU6gVJAG4FbF5DJK41UikRCWZ3JyU' +
  'A69cto/8mxQTguH6D97TwgRvfX46IZy2i5WCxFcs9F4Q5hu4L9oy8SsrhMgOUww5O3Fa+JvTFIcAVwFQJ6ciPFUE8X4qwlcQ1F' +
  '2qiECDoN8i11fxXpPAhgoWtYkRo+S0j1mifc0kDcSHSknMhO7Utbm4KhzOqaDtmmce5LqZQKOsIhNo0taH/LABbraQ6Xs4z3pN' +
  '7WGLMoYZYas8cplQy1muoygw/jrvVquNLLqxVACpW8LkRubTIVdib6PAS8cOFfZResT0KtpuUQf6o7kv6siuMfclNcUKYlhX8Y' +
  'P6SUkRhgyjJp7awsGCTO/BndDrIiFMaMwjqTQ7D8n5LxNEo4nFAtfpBX9YorlLRgwTm2NFNGaNUFcD1VgjQj0jVLVvxPrGEhyx' +
  'gdIJraUNNVBDaSMj9FiC2FiCIzYx9AmY4Bh6A54G0/aylRscu3wvgsuVBxcHxrzLoQal67LLt2OvBncQncV0o2cLS0323SKDnB' +
  'jpb/in5/TPS5Pjbx5Bynfaqv564gpOhPd9ccMd/+SuAVcTMc3bgadj/ImuR1eRy+/ROXG6B5kmth3M8JGCCxJE6ADz/itMv7AX' +
  'VPWNlHN0bvmBONGV2oqtvkXn2alfr7oteJqrRdz+RCIPqmSiC3oAlcGs+FL/xrQrpdkdi0eO3S5yvQOL5AC9ZGVXNERcIFTGtV' +
  'pUzq2pX6hb8lIRZMcVy+xO8EJZMGUqnFeRXwk55jpVyQm+B/BsalqedFv75Hca38sar7U/8qzphC+O3EEKyRzhaApoBVKDUY6O' +
  'NfxJCtg07Fm4RQ1zkeNqDV+OdI9svNL7AdUgq6ZkDneBdkNd4ruPWd+JX+IGigfavhU1eX0hF1QY94r6kf0Rz6UBLcCL6P0174' +
  'mkEKR/PPCviE5eb9C+7D2NCF9pfBTkIXlIJJSO6wOgaWxcbBd8iZGTf+VND/aQo2V7A11ip4UnZozN4eFl06YVT3sDZXIyfGzg' +
  'gVcNMT2Dx8dXTBz6zs/1g3Rab3FeOR772jKuzjcY2Dd55Cbyz9jFcV5IzmSCFXziyYPIdxV6SS5PR3hPV6K+Uwv2fYXK+ioyAo' +
  'XxVWBMHfmhSs06Co4U8hMfHgBlISdWOGioqHofo/k8J4ukt0fW4C3ZyOfzu/cGrAPt4p28TxL5g5ijF6VMH0Xor9K5Be+9nT+z' +
  'V0TQY5LfLSCXNSLy65saMj6bAkFa8w2J4Oy85+BvhakFrqgOHhiTOb7zq38VVDdBAA4D99zw79DpYZwhdhhETpW/up6YVBDjJi' +
  'iuj0Z4ZqspiNEHKf7sQEPheFjuCfMd/HsEg66uVDyeEyb5ZuezaO7kT6hOcWlQp3hT9Vo3L/JuQxRC/8ruRQdWygjYrV74gAwp' +
  'H56eQh0wpg+uqCX7nVEoBvEH/szsB/XuYahQ/+vJ0ZcojBRyQ64NRmGsUCHeeuB9wChMVNEVfaMgClOF/sq+iGzu3NSCjApVFG' +
  'RSyLwgs0LdCrKookVBVoXOChKJIfWFzwu0PZ5NiyIeb1GfzKnebvLK6TxKv5b9RRC5qlXBfNxVBe/mzoIudC0LTsh41L5wPx8b' +
  'NUqFxVc17nZG0eDkWOuHIIBi8+yJW/kbneSdOKMtfnegbpmHZy1afAmnFG+YRNHCiBX2BvEYSxStjN7i5SlOjc/0kkL7DUHMVb' +
  'jn2KV3E/ZkD/fhcHCk62vfV+IOhN+M/QOVurvvV/7m4kMfLUwCiKTAgvQUZGhB+goysiADBRlbkKGCTCzISEGmFmSsIAc98p5X' +
  'eMwaN8nhf7LdGsW8w9n1PjEqHvLIyDV7wZr5XYHy+80IwhEQn/zBbQXGY/ax0gEEf+9CyoCnpoqcjANvLqbdLe1h2tvSPqb9LR' +
  '1gOtjSIabDLR1hWjfrwE0W9rBKlOimGux9L9RbkigrIZTPQyJJTKqBoRgBJcIGGKmqWoyuLC5Ixh2ZjMTJhG9McRrbXxRZZpmJ' +
  'O5S5yLfoWCzbqpVJ8qV8kgpOALEpexlHpD056HkVJMhN8SD69YF791Ea0P6NLgafJ8MapyGGWO/vGDdkEGH1ZcaGtjSCgQ7GYP' +
  'J3jE+KPC94djxKE/bAG/6dgjGTaUo6bILwQAjNNzpZhy+scHNKJ8ib983bLX8rCwKBqUff4QrBTZ33pAu7r4Q8PBeM60937A28' +
  'TdPVhMBAGwADaCxrSODDrHxwyZOdeNK/y8QTU9HAjyXcdiHJ4AuGQg7o+QU83r/lQbUrqNAR9J3YiHKUX5pgrPjIEoI1kpJtwc' +
  'UoMpX3pIyogU+C1RW+aBg5Q11yjIZJnTbv8834RBD4t7sUcONZq+ITD1lJNHxNkkCJw2q6iu7qbYjxDK37/k66wUie0iO/p0lj' +
  'QDw4lfc0NsTDUvjzQfgnDARQqoz8HUL8WGEkN0agrxbfBIpGMjNpSGAqtkwwUAV7KgsSho4wtc5/06Nd0TiQMzQSYcRnJatrX+' +
  'FUa5yAjXdV6doHGezH2Wnr6xWfOiYXvCLcwMjanKe283kfOYbEE+/iIKAHI28dulwgdiEEnYVpYvNhn8Hf03mGgK9CEBuArkfS' +
  'yAlJdH/JHwVOt9gaxhSRKTj+JebUYhVjEmsRFE/sk8PFq0y6Cfo0cK5uni62E3gQhu82sTWZaJqoFyP9PKOT2Qm9bZuRfnol3m' +
  'NanPr1KPrrgzizaeUOEbcR8BWwsqAP1EYzuIS8fPKHQpkRszhI7Bjcjh/FvYIH7lTj33gGz8EX3LAZZ3yBCQyS/GoLzLffvrJv' +
  'OvnHP7oG3CTxpDMPNmEgMmL4+GfDJPL6BJYPp1lkgWRO5bUHlTWAdZCZfimeJY3mkUx7v3/YiYvYBW76wOhtq/ksLHpb1JkXGO' +
  '9LEsiIdeSiUod1SKvb99HMJwnkPSIgLGd8rIxch8DbSOShYfwsiUsW18DEIGUhT85CT8efXMtKORQTs8fFZxWXAwTJ//KQg5/+' +
  'iJYAn03sMrqNHPG722+PjBwnoOMDhDk3FcYe6/wBJb2CptBFsEOXSyr8Wam8xI6Ki/3Qc7sa/mvosgr+0tWjb67oyfBHrUAHpO' +
  '2WCQZBXD3EOUJBHNUyk3Fc+IRHf0HqslEdLDGNBvCcUPaStUgWKPFZZZS1nuX1itXdVvSgvHdy3ALpHt5oFCifRDFoBo+aFHIN' +
  'YKRriFGt4JmyorzUGQ7qqzgtQR5kFcc2Ijxx81GQYWBNHHzFrv2gbnhNMepttxc7iPddB3xnkogcnV/ZC7t1DszqYxt41om8Xg' +
  'TKgo5DXnD/Jutggj/DYJSXzqt/4oR3xTOTL6znzpjXVYrdDsdEnsUNVCuWgZviBXnibYk5e8/x9u61aNsaqxqfXbZ0DgCc0Uoc' +
  'PiDINJ+tYh/RYmYs0cJtwo3dAVdv2XuA8TmS3gOE4CeT1g/jc+x0MKOgTgXTiQNTCXzzkaRS6JCfeVnTug04TqDneCd3lOPzyA' +
  'kPcqI0Pk/OZ4FnXr8FZXa+moI4Ik5Rtwuhp1zxiagYn5rkf7tnZZdho/MhtSoumOR6Y0lfrbgb6NThhrubD7igHbsRw+p4MV8D' +
  'J6mEIWVausXD7FfB6FgUuwND78gje9mHvh8qyBNDa5niR9o5YcHVAvD2Yrze8detVCrHO2NE2WHXESSXnYx+d27ZZ4Et5Xm0t3' +
  'bgTnA1/6191R/SbQeE+BRCdFFXOgRvhJ9wIXMNZX/RsfmoS0D02MSNzTpijw+3WmaCS0jNB3GDsZdiX8UFLO0EJva2+x4qXW0w' +
  'efMn9sT6GmWqGaWpkppr4W2tZ2PwU9HlYUbC9yjV9uYMl4mSFOZ7SoFljk9XsZyjlv2AsbgOlSL54Y57KGCEy2CGzPEuM3moGi' +
  'ueNTsk72B/i4eg9SsvISbSf3jga3OCL9d4tJm3PylKtCFnVmgbZqHqyTs8y8aLiXEKH2bqBt8rRegqlgkELTgfcbj6zlwkE7qz' +
  'Jhm7hcVypVQtM6UFvqE6osmlegV0evJOt1jiIHQ6vvP6XpcFeVVc5kebW/7E39JVmDHvrZjgliCRUosPCdi67bHU+AZmie8uy+' +
  'hRsbO/y8PmMXwwCeZ9l+Qz6ThY6GUkEqyz8FrNq+5T02/v+jcLReJQHRDtWFeRa4R5ikgjjE9KlR9PcCCAy+hbJLHYFDEjeHSy' +
  '/4kGBbRfxKePD9CMOMiGMW+vvRQe2cVhQqPa3SNDcZjyRY89gw/Pezq3DfaLHfxt3/r5zHa/1KHUYVKz/YjnXoNdo/nbzyxqth' +
  '/xK8PTOeNfFS06S3n+8juRi/eMPokbyZ/yr9Lgj2vIQM/UlDKI+yC612OF8iBD2hxCcijOCBzY4qBAHEXKCQKkxPazBXGUcHui' +
  'pwMyfOPnQX4AWy6VsDoWxhpgYg0PN4pgdsPnwib8eMTbPzDJpd3/7gz/xRU5w6wU/G9ycIv8+ZdwlGzcMP/iF3HkfPHZ8jlN8W' +
  'LX9h1dBo85EnZKv+lqfBCmfeR4HFSD9xmen9L/MUOgWBC9nqfDhaoNmYGRg2tjl6zbhp3tvjP+qgY5+xPH8U+47qtGXPIjDpfx' +
  'EZn+hMSwHIHDj0A6CY3Hn4AtXlON4+lHXE4Og8Tx/BMyp/sTcbz8hKwKqsjVDKx6vOSCKxUAJLtxFMj50svictuQfbofkLR1yA' +
  '7eT0jWPmR37wcsayGy8fcTlLYR2RP8AUpbKYn+AsnaKYl/xvKWSpKfsaytktQGVVvLYqSmZhv/IQtrv+lfsvCGnP8hE2/R5V/y' +
  'sKZd/yEPbeP0/C9ZWGOn7j9k4q2eev+QiTV/6v9VHsUOUh5SfBW3nL//d3yyN05DhpNeootTsZokvVsXpzyA3d6fYAwxzzm8Qh' +
  '+nqTx07b7No9fjm/ZxOuI20vt2y0QrgMerZIH3rStgQqCv5Sz2EWy64FHA32BX/sjqX4AHPt7/Qxb3+HNsgufRPvWGvwL0eiMj' +
  't0YKCke0L9CXuuvq548ZAsOnOT9UwlEWMkvvglb6GkW6bOLFUEMmeiOhsyiDG9+1rq7ZZ/6mrqLocrDXpskMVMwYdUD2A5Q/4k' +
  'aYdl0/wP5KsgahTkV1GSY8HVl1/5Bj3qYzfM779hfZuEVLU+W/yUbesrqiqf7b93DPnL3UgIfx4tEVgv6tBOO22CNvDeqQ7BLD' +
  '2zs+B5g3+u7EL0xKKI2zGsMDSicrOqA0DmyMZXP/4buJAav7emrA6sowbMtC+GS8QeJ4WCx7ZNWHATw50HD3/A1/GcMA4bb6I3' +
  'Chr9OKNT8dRvzs7WZY/wOfjXJN';

let names: ReadonlyMap<string, string> | undefined;

/** The character that `\\N{name}` stands for. */
export function characterNamed(name: string): string {
  names ??= new Map(
    inflateSync(Buffer.from(packed, 'base64'))
      .toString()
      .split('\n')
      .map((line) => {
        const space = line.indexOf(' ');
        const character = String.fromCodePoint(Number.parseInt(line.slice(0, space), 16));
        return [line.slice(space + 1), character];
      }),
  );
  return (
    names.get(name.toUpperCase()) ??
    raise('SyntaxError', `unknown character name \`${name}\`: write its number, as in \\u03b1`)
  );
}
