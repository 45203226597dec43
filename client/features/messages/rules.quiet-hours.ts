import { saveToTab, readFromTab } from '../../core/tab-storage.ts';
import { localDay } from '../../ui/days.ts';

/** An evening and the following morning count as the night of the same day. */
const HALF_DAY_MS = 12 * 3_600_000;

/** Why a text to the number may wake someone now; null by day, and once this was accepted for the night. */
export function quietHoursWarning(number: string, now: Date): string | null {
  return readFromTab(keptAs(number)) === nightOf(now) ? null : quietHours(zoneOf(number), now);
}

export function acceptQuietHours(number: string, now: Date): void {
  saveToTab(keptAs(number), nightOf(now));
}

function keptAs(number: string) {
  return `quiet-${number}`;
}

function nightOf(now: Date) {
  return localDay(new Date(now.getTime() - HALF_DAY_MS));
}

/**
 * North American area codes by the time zone of most of their area; toll-free codes have none.
 * Maintained by hand, since libphonenumber has wrong zones for Orlando (689), Chattanooga (423) and Gary (219).
 */
const areas: Record<string, string> = {
  'America/New_York':
    '201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305 313 315 317 321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 423 434 440 443 445 463 470 472 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 574 582 585 586 603 606 607 609 610 614 616 617 631 640 645 646 656 667 678 679 680 681 686 689 703 704 706 716 717 718 724 727 728 732 734 740 743 754 757 762 765 770 771 772 774 781 786 802 803 804 810 812 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 862 863 864 865 878 904 906 908 910 912 914 917 919 929 930 934 937 941 943 947 948 954 959 973 978 980 984 989',
  'America/Toronto':
    '226 249 263 289 343 354 365 367 382 416 418 437 438 450 468 514 519 548 579 581 613 647 683 705 742 753 807 819 873 905 942',
  'America/Chicago':
    '205 210 214 217 218 219 224 225 228 235 251 254 256 262 270 274 281 308 309 312 314 316 318 319 320 325 327 331 334 337 346 353 361 364 402 405 409 414 417 430 432 447 448 457 464 469 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 605 608 612 615 618 620 629 630 636 641 651 659 660 662 682 701 708 712 713 715 726 730 731 737 763 769 773 779 785 806 815 816 817 830 832 847 850 861 870 872 901 903 913 918 920 931 936 938 940 945 952 956 972 975 979 985',
  'America/Winnipeg': '204 431 584',
  'America/Regina': '306 474 639',
  'America/Denver': '208 303 307 385 406 435 505 575 719 720 748 801 915 970 983 986',
  'America/Edmonton': '368 403 587 780 825 867',
  'America/Phoenix': '480 520 602 623 928',
  'America/Los_Angeles':
    '206 209 213 253 279 310 323 341 350 360 369 408 415 424 425 442 458 503 509 510 530 541 559 562 564 619 626 628 650 657 661 669 702 707 714 725 738 747 760 775 805 818 820 831 837 840 858 909 916 925 949 951 971',
  'America/Vancouver': '236 250 257 604 672 778',
  'America/Anchorage': '907',
  'Pacific/Honolulu': '808',
  'America/Halifax': '428 506 782 902',
  'America/St_Johns': '709 879',
  'America/Puerto_Rico': '340 787 939',
  'Pacific/Guam': '670 671',
  'Pacific/Pago_Pago': '684',
};

/** Country codes whose population lives in a single time zone. */
const countries: Record<string, string> = {
  '20': 'Africa/Cairo',
  '27': 'Africa/Johannesburg',
  '30': 'Europe/Athens',
  '31': 'Europe/Amsterdam',
  '32': 'Europe/Brussels',
  '33': 'Europe/Paris',
  '34': 'Europe/Madrid',
  '39': 'Europe/Rome',
  '41': 'Europe/Zurich',
  '43': 'Europe/Vienna',
  '44': 'Europe/London',
  '45': 'Europe/Copenhagen',
  '46': 'Europe/Stockholm',
  '47': 'Europe/Oslo',
  '48': 'Europe/Warsaw',
  '49': 'Europe/Berlin',
  '51': 'America/Lima',
  '57': 'America/Bogota',
  '63': 'Asia/Manila',
  '64': 'Pacific/Auckland',
  '65': 'Asia/Singapore',
  '81': 'Asia/Tokyo',
  '82': 'Asia/Seoul',
  '86': 'Asia/Shanghai',
  '91': 'Asia/Kolkata',
  '233': 'Africa/Accra',
  '234': 'Africa/Lagos',
  '254': 'Africa/Nairobi',
  '351': 'Europe/Lisbon',
  '353': 'Europe/Dublin',
  '358': 'Europe/Helsinki',
  '852': 'Asia/Hong_Kong',
  '972': 'Asia/Jerusalem',
};

/** The IANA time zone in which a number was issued; null if unknown. The owner may have moved. */
export function zoneOf(number: string): string | null {
  if (!number.startsWith('+1'))
    return countries[number.slice(1, 4)] ?? countries[number.slice(1, 3)] ?? null;
  const area = number.slice(2, 5);
  const found = Object.entries(areas).find(([, codes]) => codes.split(' ').includes(area));
  return found?.[0] ?? null;
}

const QUIET_FROM = 21;
const QUIET_UNTIL = 8;

/** Why a text may wake someone now; null by day. @param zone of the number, null if unknown */
export function quietHours(zone: string | null, now: Date): string | null {
  if (zone !== null && isQuiet(hourIn(zone, now)))
    return `It’s ${clockIn(zone, now)} in ${placeIn(zone)}, where this number is from.`;
  return isQuiet(now.getHours()) ? `It’s ${clockIn(undefined, now)} here.` : null;
}

/** @param hour of a day, 0 to 23 */
function isQuiet(hour: number) {
  return hour >= QUIET_FROM || hour < QUIET_UNTIL;
}

function hourIn(timeZone: string, at: Date) {
  const hour = at.toLocaleString('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  return Number(hour);
}

function clockIn(timeZone: string | undefined, at: Date) {
  return at.toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
}

/** 'New York' */
function placeIn(zone: string) {
  return zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');
}
