create table orders (
  id serial primary key,
  item text not null unique
);
