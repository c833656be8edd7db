"""The command `address`: list, add, remove and choose the player's mail addresses."""

from marketpost.mail.inbound.address_words import AddressRequest, AddressVerb, read_address_request
from marketpost.mail.inbound.command_context import CommandContext
from marketpost.mail.outbound.sign_in_codes import change_main_address, send_address_code
from marketpost.play.people.addresses import confirm_address, remove_address


def address_command(context: CommandContext) -> list[str]:
    """Run the command; whoever leaves something out is told how it is written."""
    asked = read_address_request(context.argument) or context.refuse("address-how")
    if asked.verb == AddressVerb.LIST:
        return _listed(context)
    if not asked.email:
        context.refuse("address-how")
    return _done(context, asked)


def _listed(context: CommandContext) -> list[str]:
    player = context.player
    lines = context.say("address-main", address=player.email)
    return [*lines, *(f"    {each}" for each in player.addresses)] if player.addresses else lines


def _done(context: CommandContext, asked: AddressRequest) -> list[str]:
    ports, player, email = context.mailer.ports, context.player, asked.email
    match asked.verb:
        case AddressVerb.ADD if asked.code:
            confirm_address(ports, player, email, asked.code)
            return context.say("address-added", address=email)
        case AddressVerb.ADD:
            send_address_code(context.mailer, player, email)
            return context.say("address-code", address=email)
        case AddressVerb.REMOVE:
            remove_address(ports, player, email)
            return context.say("address-removed", address=email)
        case _:
            change_main_address(context.mailer, player, email)
            return context.say("address-main", address=player.email)
