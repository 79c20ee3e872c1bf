package cli

import "strings"

// demoWords are what the demo's page is written with: plain, short, and none
// of them a role or a word of an attack, so that nothing passes or fails for
// what it means.
func demoWords() []string {
	return strings.Fields(`
		acorn amber anchor apple apron arrow aspen autumn badge bagel bakery bamboo
		banner barley basket beacon beaver bell bench berry birch biscuit blanket
		blossom bottle boulder branch bread breeze brick bridge bronze brook bucket
		butter cabin cactus camel candle canoe canyon carpet carrot castle cedar
		cellar cherry chestnut chimney cinder cliff cloud clover cobalt coconut comet
		compass copper coral cotton cradle crane creek cricket crystal cushion cypress
		daisy dolphin donkey drum eagle ember falcon feather fern ferry fiddle finch
		flannel flint flute forest fossil fountain fox garden garlic geyser ginger
		glacier goose granite grape grove guitar gull hammock harbor harvest hazel
		heron hickory honey horizon island ivory ivy jacket jasmine jungle juniper
		kettle kite ladder lagoon lantern lemon lilac linen lobster lotus magnet mango
		maple marble meadow melon mill mint mirror mitten moss mountain mulberry
		mushroom nectar nettle nickel nutmeg oak oasis oat ocean olive onion orchard
		otter oyster paddle palm panther paper parsley peach pebble pelican pepper
		pine plum pocket pond poppy potato prairie pumpkin quartz quilt rabbit raft
		raven reed ribbon river robin rope saddle saffron salmon sandal satin shell
		silver sparrow spruce squirrel stone summer sunset swan teapot thistle thunder
		timber tulip tunnel turnip turtle valley velvet violet wagon walnut willow
		window winter wool zebra`)
}
