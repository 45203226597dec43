import type { Registration } from '@matterdesk/contract/accounts.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import type { Random } from '@matterdesk/server/testing/random.ts';

/** Reserved domain of their email addresses. */
export const DOMAIN = 'hartwell-osei.example';

/** A user of the firm, founders first. `attempt` distinguishes namesakes. */
export function inventPerson(
  random: Random,
  index: number,
  attempt: number,
): Omit<Registration, 'password'> {
  const [firstName, lastName] = founders[index] ?? [
    random.pick(firstNames),
    random.pick(lastNames),
  ];
  const number = attempt > 0 ? String(attempt + 1) : '';
  return {
    firstName,
    lastName,
    email: `${toAscii(`${firstName}.${lastName}`)}${number}@${DOMAIN}`,
    phoneNumber: inventPhoneNumber(random),
    role: index % 25 === 0 ? 'admin' : 'user',
  };
}

/** A number reserved for fiction. */
export function inventPhoneNumber(random: Random): string {
  const area = random.pick(['212', '315', '518', '607', '845', '914']);
  return `1 ${area} 555 01${String(random.whole(0, 99)).padStart(2, '0')}`;
}

const ASCII: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

/** As in an email address: `Łucja Strauß` is `lucja strauss`. */
export function toAscii(text: string): string {
  return normalized(text.toLowerCase(), 'NFD')
    .replaceAll(/[ßøłđı]/g, (letter) => ASCII[letter] ?? '')
    .replaceAll(/[^a-z0-9. -]/g, '');
}

// Names of a fictional firm, its clients, opponents and courts.

/** The firm's founders. */
export const founders = [
  ['Ama', 'Owusu'],
  ['Rune', 'Lindqvist'],
  ['Jun', 'Tanaka'],
  ['Kofi', 'Mensah'],
] as const;

export const firstNames = split(`
  Amara Noor Tomás Ingrid Mateo Priya Søren Lucía Dmitri Hana Óscar Zeynep Thabo Marguerite Elif
  Bartosz Ana Wanjiru Émile Freya Giorgos Leila Håkon Imani Jürgen Kalinda Ludovic Mei Nikolai Odette
  Pádraig Quentin Rosa Šárka Tariq Ursula Viktor Wilhelmina Ximena Yusuf Zofia Aarav Beatriz Chidi
  Daniela Eamon Fatima Gustav Hye-jin Ilse Joaquín Katarzyna Lars Małgorzata Ngozi Olumide Petra Rafael
  Saoirse Thandiwe Uwe Valentina Wojciech Yara Ahmed Brigid Cyrus Dolores Esther Françoise Grace Hassan
  Irina José Kwame Linh Miguel Nadia Oksana Paolo Ruth Samira Tadeusz Vera Willem Yevgeniya Zara Björn
`);

export const lastNames = split(`
  Abara Delgado Kowalczyk Nguyễn Haddad Castellano Brandt Whitfield Yılmaz Petrov Moreau Delacroix
  Okafor Lindgren Sørensen Müller Fernández O’Connell Nakamura Ivanova Mbeki Reyes Żeromski Papadopoulos
  Adeyemi Bergström Chaudhry Dvořák Eriksen Fitzgerald García Hollis Ibáñez Jankowski Kaplan Le-Roux
  Marchetti Novák Ólafsson Park Quintero Rosenthal Sato Tshabalala Ueda Valdés Weiß Xu Yamamoto Zhang
  Ángeles Björk Çelik Đorđević Estévez Friedrich Grønholm Hashimi Iyer Jovanović Kruger Løvstad Mahlangu
  Núñez Osei Pereira Quiñones Rasmussen Šimić Tōyama Underhill Voss Wójcik Yeboah Zúñiga Achterberg Bello
  Carmichael Duarte Echeverría Farouk Goldstein Hale Igwe Jansen Kamau Laurent Mendoza Ndlovu Oyelaran
  Prescott Rahman Schäfer Takahashi Ustinov Vance Winslow Yoon Zimmermann Ashworth Brennan Cohen Drummond
`);

export const companies = lines(`
  Northline Freight
  Redwood Properties
  Harbor Transit Authority
  Cascade Builders
  Metro Rideshare
  Orchard Foods
  Apex Surgical
  Bluewater Insurance Company
  Café Lumière Holdings
  Granite State Logistics
  Summit Elevator & Escalator
  Keystone Pharmacies
  Lakeshore Amusements
  Ñandú Outdoor Equipment
  Pioneer Gas & Electric
  Tri-County School District
  Unity Home Care
  Velocity Scooters
  Westbrook Chemical
  Zephyr Airlines
  Alder County Water Board
  Brightside Daycare Centers
  Cobalt Data Systems
  Dunmore Steel
  Evergreen Ski Resorts
  Fairway Motor Sales
  Goldleaf Bank
  Hearth & Home Appliances
  Ironbridge Construction
  Juniper Hotels
  Kettle River Mining
  Lindenhof Maschinenbau
  Meridian Telecom
  Old Mill Brewery
  Pacific Crest Trucking
  Quarry Lane Apartments
  Rosewater Cosmetics
  Silverline Security
  Tidewater Shipyards
  Vista Verde Farms
`);

export const hospitals = lines(`
  St. Brigid Hospital
  Mercy Valley Medical Center
  Alder County General
  Lakeside Orthopedics
  Hôpital Saint-Luc
  Riverbend Women’s Clinic
  Northgate Imaging
  Dr. Ezra Whitlock
  Dr. Lena Sørbø
  Cedar Grove Nursing Home
  Pine Street Urgent Care
  University Children’s Hospital
  Harborview Dental Group
  Apex Surgical Partners
`);

export const counselFirms = lines(`
  Hale & Voss LLP
  Whitcombe, Sato & Reyes LLP
  Brennan Underhill PC
  Drummond Carmichael LLP
  Laurent & Fils Avocats
  Prescott Ashworth LLP
  Goldstein Igwe & Partners
  Office of the County Attorney
  Kaplan Winslow LLP
  Zimmermann Rechtsanwälte
  Vance, Mendoza & Park
  Fitzgerald Defense Group
  Rosenthal Trial Lawyers
  Tidewater Insurance Defense
  Achterberg & Jansen
  Echeverría Hermanos Abogados
`);

export const judges = lines(`
  Hon. Miriam Osei
  Hon. Patrick O’Dowd
  Hon. Rosalind Achebe
  Hon. Teresa Villaseñor
  Hon. Samuel Weißmann
  Hon. Joan Kettering
  Hon. Darius Whitmore
  Hon. Mei-Lin Zhou
  Hon. Abigail Thornquist
  Hon. Cornelius Baptiste
  Hon. Farah Nasser
  Hon. Gilbert Stonebridge
  Hon. Helena Dvořáková
  Hon. Ignatius Mwangi
  Hon. Katherine Løken
  Hon. Leonard Fitzsimmons
`);

export const streets = lines(`
  Elm Street
  Court Plaza
  Harbor Road
  Calle de la Luna
  Birchwood Avenue
  Königsallee
  Market Street
  Old Mill Lane
  Rue des Érables
  Quarry Lane
  Second Avenue
  Station Road
  Tanager Drive
  Union Square
  Willow Creek Road
`);

export const towns = lines(`
  Albany, NY 12207
  Troy, NY 12180
  Schenectady, NY 12305
  Saratoga Springs, NY 12866
  Poughkeepsie, NY 12601
  Kingston, NY 12401
  Utica, NY 13501
  Española, NM 87532
  San José, CA 95113
  Cañon City, CO 81212
`);

function split(words: string): string[] {
  return words.trim().split(/\s+/);
}

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim());
}
