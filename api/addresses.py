"""REST calls for a player's further mail addresses."""

from typing import Any

from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import mailer, me, ports
from api.http.idempotency import OnRepeat
from api.http.people_schemas import AddressResponse
from api.http.request_limits import client
from api.http.request_schemas import NewAddress
from marketpost.mail.outbound.sign_in_codes import send_address_code
from marketpost.play.people.addresses import confirm_address, remove_address

addresses = Calls("addresses", __name__, url_prefix="/v1/players/me/addresses", description="My further mail addresses")


@addresses.call(
    "POST",
    "",
    access=Permission.PLAY,
    body=NewAddress,
    gives={201: AddressResponse, 202: AddressResponse},
    problems=(403, 409, 429),
    on_repeat=OnRepeat.AGAIN,
)
def add_address(body: dict[str, Any]) -> Any:
    """Add a mail address

    With the address alone, a code is mailed there. With the code, too, the address is mine: I may answer letters and sign in from it.
    Letters go to my main address, which `PATCH /v1/players/me` with `{"email": …}` chooses among mine. An address belongs to one player.
    """
    if "code" not in body:
        send_address_code(mailer(), me(), body["email"], client())
        return answer({"email": body["email"], "confirmed": False}, 202)
    confirm_address(ports(), me(), body["email"], body["code"])
    return {"email": body["email"], "confirmed": True}


@addresses.call("DELETE", "/<string:address>", access=Permission.PLAY, gives={204: None}, problems=(404, 409))
def delete_address(address: str) -> Response:
    """Remove one of my further mail addresses"""
    remove_address(ports(), me(), address)
    return Response(status=204)
